"""Arrays of other libraries, on this machine or on a graphics card, and files of tensors (.safetensors)."""

from __future__ import annotations

import io
import json
import math
import warnings
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError

SUFFIX = ".safetensors"
TYPES = {
    "F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
LONGEST = 100_000_000  # bytes of a header, as the format allows them


def host_array(X: Any, name: str = "X") -> Any:
    """Return an array of whatever library as one of NumPy; float16 and bfloat16 as float32; all else as it is.

    A warning calls it by its `name` where it is copied from a graphics card.

    >>> host_array(np.ones((2, 2), dtype=np.float16)).dtype
    dtype('float32')
    """
    if isinstance(X, np.ma.MaskedArray):
        return X
    if not isinstance(X, np.ndarray):
        if hasattr(X, "obsm"):  # NumPy would cut cells into cells without an end
            msg = (
                f"{name} is of type {type(X).__name__}, which is no array; give one of its columns or representations."
            )
            raise InputError(msg)
        if not (hasattr(X, "__dlpack__") and hasattr(X, "dtype") and hasattr(X, "shape")):
            return X
        try:
            X = _on_host(X, name)
        except (TypeError, ValueError, RuntimeError, BufferError) as error:  # what libraries raise
            reason = str(error).partition("\n")[0]
            msg = f"{name} cannot be read as an array: {reason}"
            raise InputError(msg) from None
    if X.dtype.itemsize == 2 and (X.dtype == np.float16 or X.dtype.name == "bfloat16"):  # names are slow to ask for
        return X.astype(np.float32)
    return X


def _on_host(X: Any, name: str) -> NDArray[Any]:
    """Return a tensor as an array in the memory of this machine, with a warning if it was elsewhere."""
    if hasattr(X, "detach"):  # of torch: without the record of how it was computed
        X = X.detach()
    if str(X.dtype).endswith("bfloat16") and hasattr(X, "float"):  # NumPy has no such numbers
        X = X.float()
    device = str(getattr(X, "device", "cpu"))
    if hasattr(X, "get") and not hasattr(X, "cpu"):  # of cupy
        msg = f"{name} is on a graphics card and is copied to this machine's memory."
        warnings.warn(msg, UserWarning, stacklevel=2)
        return np.asarray(X.get())
    if not device.lower().startswith(("cpu", "<cpu", "tfrt_cpu")) and hasattr(X, "cpu"):
        warnings.warn(f"{name} is on {device} and is copied to this machine's memory.", UserWarning, stacklevel=2)
        X = X.cpu()
    return np.from_dlpack(X) if not hasattr(X, "__array__") else np.asarray(X)


def tensors_of(content: bytes, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays in the bytes of a file of tensors, by name; an error if it is damaged.

    The format: the length of a header in 8 bytes, the header as JSON (type, shape and place of each), the numbers.
    """
    places = tensor_places(io.BytesIO(content), len(content), name)
    return {key: place.read(content) for key, place in places.items()}


class TensorPlace(NamedTuple):
    """Where a tensor lies in a file, and of what type it is there."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    offset: int
    brain: bool  # whether its numbers are of the type bfloat16, the upper half of float32

    def read(self, content: bytes) -> NDArray[Any]:
        """Return the tensor in the bytes of the file."""
        numbers = np.frombuffer(content, self.dtype, math.prod(self.shape), self.offset).reshape(self.shape)
        return whole_floats(numbers) if self.brain else np.asarray(host_array(numbers))


def whole_floats(halves: NDArray[Any]) -> NDArray[np.float32]:
    """Return numbers of the type bfloat16, the upper half of float32, as float32."""
    return (halves.astype(np.uint32) << 16).view(np.float32)


def tensor_places(file: IO[bytes], size: int, name: str) -> dict[str, TensorPlace]:
    """Return where the tensors of an open file of so many bytes lie, by name; an error if it is damaged."""
    head = file.read(8)
    length = int.from_bytes(head, "little")
    if len(head) < 8 or length > min(LONGEST, size - 8):
        raise _damaged(name, f"its header has {length:,} bytes and the file {size:,}")
    try:
        header = json.loads(file.read(length))
        entries = {key: entry for key, entry in header.items() if key != "__metadata__"}
        return {key: _place(8 + length, size, key, entry, name) for key, entry in entries.items()}
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise _damaged(name, "its header cannot be read") from None


def _place(start: int, size: int, key: str, entry: Any, name: str) -> TensorPlace:
    if entry["dtype"] not in TYPES:
        msg = f"Tensor {key!r} of {name} is of type {entry['dtype']}; known are {', '.join(TYPES)}."
        raise InputError(msg)
    dtype, shape = np.dtype(TYPES[entry["dtype"]]), tuple(int(length) for length in entry["shape"])
    low, high = entry["data_offsets"]
    if not 0 <= low <= high <= size - start or high - low != dtype.itemsize * math.prod(shape):
        raise _damaged(name, f"tensor {key!r} claims bytes that are not there")
    return TensorPlace(dtype, shape, start + low, entry["dtype"] == "BF16")


def _damaged(name: str, why: str) -> InputError:
    return InputError(f"{name} is damaged: {why}.")
