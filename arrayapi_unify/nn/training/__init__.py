"""Parts of training loops: initializers, optimizers, schedules and batches."""
