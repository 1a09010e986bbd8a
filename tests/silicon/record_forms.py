#!/usr/bin/env python3
"""Runs the modules that silicon_forms wrote on the GPU of this machine: record_forms.py FOLDER

Needs NVIDIA's driver and nothing else. Writes FOLDER/results.gz: for each module a byte, 1, and the bits that it
changed in every launch, or 0 where the driver refuses it; and FOLDER/device.txt, the GPU's name. Ends at a module that
does not leave the same twice."""
import ctypes
import gzip
import pathlib
import sys

driver = ctypes.CDLL("libcuda.so.1")
REFUSED = (218, 222)  # CUDA_ERROR_INVALID_PTX, CUDA_ERROR_UNSUPPORTED_PTX_VERSION


def call(name, *arguments):
    status = getattr(driver, name)(*arguments)
    if status:
        raise OSError(status, f"{name} failed with status {status}")


def allocate(size):
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(size))
    return address


class Launcher:
    def __init__(self, operands, launches, record_bytes, out_bytes):
        size = len(operands) // launches
        self.operands = [operands[i * size : (i + 1) * size] for i in range(launches)]
        self.threads, self.out_bytes = size // record_bytes, out_bytes
        self.records, self.out = allocate(size), allocate(out_bytes)

    def launch(self, function, records):
        """What one block changes in its records and in the output, as bits that differ."""
        call("cuMemcpyHtoD_v2", self.records, records, ctypes.c_size_t(len(records)))
        call("cuMemsetD8_v2", self.out, ctypes.c_ubyte(0), ctypes.c_size_t(self.out_bytes))
        arguments = (ctypes.c_void_p * 2)(ctypes.addressof(self.records), ctypes.addressof(self.out))
        call("cuLaunchKernel", function, 1, 1, 1, self.threads, 1, 1, 0, None, arguments, None)
        call("cuCtxSynchronize")
        left = []
        for address, size in ((self.records, len(records)), (self.out, self.out_bytes)):
            buffer = ctypes.create_string_buffer(size)
            call("cuMemcpyDtoH_v2", buffer, address, ctypes.c_size_t(size))
            left.append(buffer.raw)
        changed = int.from_bytes(b"".join(left), "little") ^ int.from_bytes(records, "little")
        return changed.to_bytes(len(records) + self.out_bytes, "little")

    def run(self, ptx):
        """What all launches change; None if the driver refuses the module."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        try:
            call("cuModuleLoadData", ctypes.byref(module), ptx + b"\0")
        except OSError as error:
            if error.errno in REFUSED:
                return None
            raise
        call("cuModuleGetFunction", ctypes.byref(function), module, b"body")
        left = b"".join(self.launch(function, records) for records in self.operands)
        again = b"".join(self.launch(function, records) for records in self.operands)
        call("cuModuleUnload", module)
        if left != again:
            raise RuntimeError("differs from run to run")
        return left


def open_device():
    device, context, name = ctypes.c_int(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDeviceGetName", name, len(name), device)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    return name.value.decode()


def main(folder):
    (folder / "device.txt").write_text(open_device() + "\n")
    launcher = Launcher((folder / "operands").read_bytes(), *map(int, (folder / "launches").read_text().split()))
    modules = sorted(folder.glob("*.ptx"))
    with gzip.open(folder / "results.gz", "wb", 6) as results:
        for number, module in enumerate(modules, 1):
            try:
                left = launcher.run(module.read_bytes())
            except (OSError, RuntimeError) as error:
                sys.exit(f"{module}: {error}")
            results.write(b"\0" if left is None else b"\1" + left)
            print(f"\r{number} of {len(modules)}", end="", file=sys.stderr)
    print(file=sys.stderr)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
