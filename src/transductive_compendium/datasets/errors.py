"""Errors about data. Every message ends with the remedy."""


class DataError(Exception):
    """Base class of all data errors; catch this one to catch them all."""


class UnknownDatasetError(DataError):
    """No data set, or no positive class of one, has this name."""


class DataMissingError(DataError):
    """The data are in none of the folders searched."""


class DataUnreachableError(DataMissingError):
    """The data are not on this computer, and no public source delivered them."""


class DataDamagedError(DataError):
    """A file that was found is not the registered data."""
