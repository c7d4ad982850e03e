"""Views and in-place writes where a library's arrays can't share memory or mayn't be written.

The theory in one sentence: an emulated view is a pair of functions, one that reads it out of its
source and one that writes it back (a lens), and a memory is the native array that all sources begin
with. docs/design.md, "Views", goes on from there.

========================  =======================================================================
`view`                    `ViewOp`, `Region` and `View`: the part of a memory that an Array is
`layouts`, `sharing`      NumPy's shape and strides of a part; the functions that return views
`memory`, `members`       `Memory`: the data, its writes, its budget; the Arrays that share it
`numpy_mirror`            the NumPy array that stands for a memory which never changes
`factory`                 `ViewFactory`: what a function that returns views makes of its results
`emulation`               memories and views of Arrays: made, read, exported
`aliasing`                Arrays that share the library's own memory
`writes`                  new data for an Array, and for those that share its memory
`trace_layouts`           arguments and results that share memory, for functions that are traced
========================  =======================================================================
"""
