"""A union in a match statement, every member of which is there."""

from people_capnp import Person, Shape


def work(person: Person.Reader) -> str:
    match person.employment.which():
        case "unemployed":
            return "nothing"
        case "employer":
            return person.employment.employer
        case "school":
            return person.employment.school


def area(shape: Shape) -> float:
    match shape.which():
        case "circle":
            return shape.circle**2 * 3.14
        case "square":
            return shape.square**2
        case "label":
            return len(shape.label.text)


assert work(Person(employment={"school": "MIT"}).as_reader()) == "MIT"
assert area(Shape(square=3)) == 9
