"""Tables that are read in blocks of rows: files, arrays on disk, lazy frames and those of Dask."""
