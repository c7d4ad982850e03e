"""The official suite on many versions of many libraries: where a function works, and since when.

``python -m compliance matrix run`` measures each version in an environment of its own, and adds it
to ``matrix.json``; ``python -m compliance matrix page`` renders that as one page.
"""
