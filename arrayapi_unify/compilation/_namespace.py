def namespace(name): raise NotImplementedError
