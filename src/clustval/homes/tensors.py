"""Arrays of other libraries, on this machine or on a graphics card, and files of tensors (.safetensors)."""

from __future__ import annotations

import json
import math
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError

SUFFIX = ".safetensors"
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
LONGEST = 100_000_000  # bytes of a header, as the format allows them


def host_array(X: Any) -> Any:
    """Return an array of whatever library as one of NumPy; float16 and bfloat16 as float32; all else as it is.

    >>> host_array(np.ones((2, 2), dtype=np.float16)).dtype
    dtype('float32')
    """
    if isinstance(X, np.ma.MaskedArray):
        return X
    if not isinstance(X, np.ndarray):
        if not (hasattr(X, "__dlpack__") and hasattr(X, "dtype") and hasattr(X, "shape")):
            return X
        X = _on_host(X)
    if X.dtype.itemsize == 2 and (X.dtype == np.float16 or X.dtype.name == "bfloat16"):  # names are slow to ask for
        return X.astype(np.float32)
    return X


def _on_host(X: Any) -> NDArray[Any]:
    """Return a tensor as an array in the memory of this machine, with a warning if it was elsewhere."""
    if hasattr(X, "detach"):  # of torch: without the record of how it was computed
        X = X.detach()
    if str(X.dtype).endswith("bfloat16") and hasattr(X, "float"):  # NumPy has no such numbers
        X = X.float()
    device = str(getattr(X, "device", "cpu"))
    if hasattr(X, "get") and not hasattr(X, "cpu"):  # of cupy
        warnings.warn("X is on a graphics card and is copied to this machine's memory.", UserWarning, stacklevel=2)
        return np.asarray(X.get())
    if not device.lower().startswith(("cpu", "<cpu", "tfrt_cpu")) and hasattr(X, "cpu"):
        warnings.warn(f"X is on {device} and is copied to this machine's memory.", UserWarning, stacklevel=2)
        X = X.cpu()
    return np.from_dlpack(X) if not hasattr(X, "__array__") else np.asarray(X)


def tensors_of(content: bytes, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays in the bytes of a file of tensors, by name; an error if it is damaged.

    The format: the length of a header in 8 bytes, the header as JSON (type, shape and place of each), the numbers.
    """
    size = int.from_bytes(content[:8], "little")
    if len(content) < 8 or size > min(LONGEST, len(content) - 8):
        raise _damaged(name, f"its header has {size:,} bytes and the file {len(content):,}")
    try:
        header = json.loads(content[8 : 8 + size])
        entries = {key: entry for key, entry in header.items() if key != "__metadata__"}
        return {key: _tensor(content, 8 + size, key, entry, name) for key, entry in entries.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(name, "its header cannot be read") from None


def _tensor(content: bytes, start: int, key: str, entry: Any, name: str) -> NDArray[Any]:
    if entry["dtype"] not in TYPES:
        msg = f"Tensor {key!r} of {name} is of type {entry['dtype']}; known are {', '.join(TYPES)}."
        raise InputError(msg)
    dtype, shape = np.dtype(TYPES[entry["dtype"]]), [int(length) for length in entry["shape"]]
    low, high = entry["data_offsets"]
    if not 0 <= low <= high <= len(content) - start or high - low != dtype.itemsize * math.prod(shape):
        raise _damaged(name, f"tensor {key!r} claims bytes that are not there")
    numbers = np.frombuffer(content, dtype, math.prod(shape), start + low).reshape(shape)
    if entry["dtype"] == "BF16":  # the upper half of a float32
        return (numbers.astype(np.uint32) << 16).view(np.float32)
    return np.asarray(host_array(numbers))


def _damaged(name: str, why: str) -> InputError:
    return InputError(f"{name} is damaged: {why}.")
