"""The course: each numbered file beside this one is a page."""
