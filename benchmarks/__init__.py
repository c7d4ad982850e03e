"""What a call costs: our functions beside the bare native ones and other libraries, in one run."""
