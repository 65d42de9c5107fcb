"""Cuts a large grid into blocks of whole rows that stay in the processor's cache."""

BLOCK = 2**16
"""Numbers per block, 512 KiB: small enough for the cache, large enough to make the cost of a NumPy call vanish."""


def row_blocks(rows: int, row_length: int, block: int = BLOCK) -> list[slice]:
    """Return slices that together cover ``rows`` rows, each about ``block`` numbers large.

    A formula of ten steps applied to a whole 2048 x 2048 grid walks through main memory ten times.
    Applied block by block it walks through it once, and needs scratch space for one block only.

    Parameters
    ----------
    rows : int
        Number of rows in the grid.
    row_length : int
        Numbers in one row. A row is never cut, even if it is longer than a block.
    block : int, optional
        Numbers in one block.

    Returns
    -------
    list of slice
        The rows of each block.

    Examples
    --------
    >>> row_blocks(5, 3, block=6)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(1, block // row_length)
    return [slice(start, min(start + step, rows)) for start in range(0, rows, step)]
