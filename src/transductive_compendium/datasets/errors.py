"""What can go wrong with data. Every message ends with the remedy."""


class DataError(Exception):
    """Base class of all data errors; catch this one to catch them all."""


class UnknownDatasetError(DataError):
    """No data set, or no positive class of one, has this name."""


class DataMissingError(DataError):
    """The data are in none of the folders searched."""


class DataUnreachableError(DataMissingError):
    """The data are not here and none of their public sources gave them."""


class DataDamagedError(DataError):
    """A file that was found is not the registered data."""
