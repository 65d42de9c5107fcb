"""A trainable encoder-decoder, forward and backward by hand."""
