"""Where plain NumPy ends and compiled code begins.

The choice depends on the number of points alone, never on what is loaded or how busy the machine is: the same
input always takes the same path and gives the same bits.
"""

SMALL = 1000  # up to here NumPy is quicker than loading a compiler
