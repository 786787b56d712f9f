import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from transductive_compendium.runner import Parameter, ParameterError
from transductive_compendium.runner.declaration import crossed
from transductive_compendium.runner.parameters import parse_assignments, resolve

SCHEMA = {
    "sigma": Parameter(3.0, float, "kernel width", exclusive_minimum=0),
    "bounces": Parameter(1000, int, "bounces", minimum=1, maximum=10**6),
    "scale": Parameter(True, bool, "scale the features"),
    "reading": Parameter("normal", str, "classes", choices=("normal", "hyper")),
}


def test_defaults_and_order():
    assert resolve(SCHEMA, {"bounces": 5}) == {
        "sigma": 3.0,
        "bounces": 5,
        "scale": True,
        "reading": "normal",
    }
    assert list(resolve(SCHEMA, {"bounces": 5})) == list(SCHEMA)


def assigned(*texts):
    return lambda: parse_assignments(SCHEMA, texts)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *(
            (lambda given_=given_: resolve(SCHEMA, given_), words)
            for given_, words in [
                ({"sgima": 3.0}, "did you mean 'sigma'"),
                ({"qqqq": 3.0}, "Known: sigma, bounces"),
                ({"sigma": "3"}, "a str, is not allowed; it must be float > 0"),
                ({"sigma": True}, "a bool"),
                ({"sigma": 0.0}, "not allowed"),
                ({"sigma": float("nan")}, "a finite number"),
                ({"sigma": float("inf")}, "a finite number"),
                ({"bounces": 3.0}, "a float"),
                ({"bounces": True}, "a bool"),
                ({"bounces": 0}, "int >= 1 and <= 1e+06"),
                ({"scale": 1}, "an int"),
                ({"reading": "hypo"}, "one of 'normal', 'hyper'"),
                ({"reading": None}, "a NoneType"),
            ]
        ),
        (assigned("sgima=3"), "did you mean 'sigma'"),
        (assigned("sigma"), "name=value"),
        (assigned("sigma=abc"), "must be float > 0"),
        (assigned("bounces=2.5"), "must be int"),
        (assigned("scale=maybe"), "must be bool"),
        (assigned("profile=paper"), "--profile paper"),
        (assigned("seed=3"), "--seed 3"),
        (assigned("sigma=1", "sigma=2"), "twice"),
        (lambda: Parameter(0, int, "bounces", minimum=1), "default = 0, an int, is not allowed"),
        (lambda: Parameter([1], list, "a list"), "list"),
    ],
)
def test_what_does_not_fit_is_an_error(call, words):
    with pytest.raises(ParameterError) as caught:
        call()
    assert words in str(caught.value)


@given(
    st.floats(min_value=1e-300, allow_nan=False, allow_infinity=False),
    st.integers(1, 10**6),
    st.booleans(),
    st.sampled_from(["normal", "hyper"]),
)
def test_the_command_line_reads_back_what_it_writes(sigma, bounces, scale, reading):
    values = {"sigma": sigma, "bounces": bounces, "scale": scale, "reading": reading}
    texts = [f"{name}={value}" for name, value in values.items()]
    assert resolve(SCHEMA, parse_assignments(SCHEMA, texts)) == values


@given(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.none()))
)
@example(2**53 + 1)
def test_whatever_passes_has_the_right_type_and_range(value):
    for name, p in SCHEMA.items():
        try:
            got = p.check(name, value)
        except ParameterError:
            continue
        # of a whole number beyond 2^53 the nearest float is meant
        meant = float(value) if p.kind is float and type(value) is int else value
        assert type(got) is p.kind and got == meant
        assert name != "sigma" or 0 < got < float("inf")
        assert name != "bounces" or 1 <= got <= 10**6


def test_crossed_axes_turn_its_last_axis_fastest_and_repeat_by_profile():
    units = crossed(draw={"smoke": 1, "paper": 2, "full": 3}, m=(10, 20), kind={"a": 1, "b": 2})
    first = [{"draw": 0, "m": m, "kind": kind} for m in (10, 20) for kind in "ab"]
    assert units({}, "smoke") == first
    assert units({}, "paper") == first + [key | {"draw": 1} for key in first]
    assert len(units({}, "full")) == 12
    assert crossed(m=(10, 20), smoke=1)({}, "smoke") == [{"m": 10}]
    assert list(crossed("m", "draw", draw=(0,), m=(1,))({}, "smoke")[0]) == ["m", "draw"]
    assert crossed(m=(10, 20), smoke=1)({}, "paper") == [{"m": 10}, {"m": 20}]
