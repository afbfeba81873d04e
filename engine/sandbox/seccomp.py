"""The Linux kernel's filter of system calls, written as the BPF program that `seccomp` takes.

There are two profiles: `PROGRAM` for Python that is already running (it may start threads, but no processes), and
`TOOL` for a program that has to be started after the filter is set (OpenSCAD). Both forbid sockets, tracing, mounting,
namespaces, keys, and newer interfaces of the kernel. Uses the standard library only, since it runs inside the sandbox
too.
"""

import ctypes
import errno
import platform
import struct

# Numbers of the system calls: (x86-64, aarch64), None where an architecture has no such call.
_SURFACE: dict[str, tuple[int | None, int | None]] = {
    "socket": (41, 198),
    "socketpair": (53, 199),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_send_signal": (424, 424),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "unshare": (272, 97),
    "setns": (308, 268),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "personality": (135, 92),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
}
_STARTING: dict[str, tuple[int | None, int | None]] = {
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "kill": (62, 129),
    "tkill": (200, 130),
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_CLONE_THREAD = 0x00010000
_X32_BIT = 0x40000000
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_LOAD = 0x20
_EQUAL = 0x15
_AT_LEAST = 0x35
_ANY_BIT = 0x45
_RETURN = 0x06
_KILL = 0x80000000
_ALLOW = 0x7FFF0000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16

PROGRAM = "program"
TOOL = "tool"


class Unsupported(Exception):
    """The filter is not known for this processor."""


def build(profile: str) -> bytes:
    """The filter as bytes of `struct sock_filter`.

    Raises:
        Unsupported: The processor is neither x86-64 nor aarch64.
    """
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        raise Unsupported(f"no system-call filter is known for {machine}")
    column, architecture = _ARCHITECTURES[machine]
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        lines += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, _KILL)]
    refused = dict(_SURFACE)
    if profile == PROGRAM:
        refused.update(_STARTING)
        lines += _only_threads(column)
    for numbers in refused.values():
        number = numbers[column]
        if number is not None:
            lines += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _failing(errno.EPERM))]
    lines.append((_RETURN, 0, 0, _ALLOW))
    return b"".join(struct.pack("HBBI", *line) for line in lines)


def _only_threads(column: int) -> list[tuple[int, int, int, int]]:
    """`clone` may only start threads; `clone3`, whose flags a filter cannot read, is reported as not implemented."""
    return [
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _failing(errno.ENOSYS)),
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_ANY_BIT, 1, 0, _CLONE_THREAD),
        (_RETURN, 0, 0, _failing(errno.EPERM)),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]


def _failing(code: int) -> int:
    return 0x00050000 | code


def install(profile: str = PROGRAM) -> None:
    """Sets the filter for this process and all its future children; it cannot be removed again.

    Raises:
        OSError: The kernel refuses.
    """
    program = build(profile)
    lines = ctypes.create_string_buffer(program, len(program))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(lines)))
    libc = ctypes.CDLL(None, use_errno=True)
    set_no_new_privileges = 38
    set_seccomp = 22
    filter_mode = 2
    for arguments in ((set_no_new_privileges, 1, 0, 0, 0), (set_seccomp, filter_mode, header, 0, 0)):
        if libc.prctl(*arguments) != 0:
            raise OSError(ctypes.get_errno(), "the kernel refused the system-call filter")
