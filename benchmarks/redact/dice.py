"""Random strings for the secrets of the benchmarks."""

import base64
import random
import string

ALNUM = string.ascii_letters + string.digits
WORDS = "falcon winter copper meadow signal harbor quartz timber violet ember orchid tundra".split()


class Dice(random.Random):
    """Random strings by alphabet."""

    def of(self, letters: str, count: int) -> str:
        """Return `count` of `letters`."""
        return "".join(self.choices(letters, k=count))

    def alnum(self, count: int) -> str:
        """Return letters and digits, at least one of each kind."""
        text = list(self.of(ALNUM, count - 3) + self.of("0123456789", 1))
        text += [self.choice(string.ascii_lowercase), self.choice(string.ascii_uppercase)]
        self.shuffle(text)
        return "".join(text)

    def hex(self, count: int) -> str:
        """Return lower-case hexadecimal digits."""
        return self.of("0123456789abcdef", count)

    def b64(self, size: int) -> str:
        """Return `size` random bytes in base64."""
        return base64.b64encode(self.randbytes(size)).decode()

    def uuid(self) -> str:
        """Return a random UUID."""
        h = self.hex(32)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"

    def human(self) -> str:
        """Return a password as people make them."""
        one, two = self.sample(WORDS, 2)
        number = self.randint(10, 9999)
        return self.choice([
            f"{one.title()}-{two.title()}-{number}!", f"{one}{number}{two.title()}",
            f"{one.title()}#{number}", f"{two}_{one}_{number}", f"{number}{one.upper()}${two}",
        ])  # fmt: skip
