"""What readers say of files that they refuse."""

__all__ = ["complaint"]


def complaint(read, path):
    """Return the file that an error names, or the error if it names none; "" without error."""
    try:
        read(path)
    except ValueError as error:
        return str(path) if str(path) in str(error) else str(error)
    return ""
