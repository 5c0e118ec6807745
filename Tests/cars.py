"""Cars that charge, for torture.py and hosts.py."""
import time, uuid


class Car:
    """One session after the other, in batches that need not end where a session does."""

    def __init__(self, rng, venue, token):
        self.rng, self.venue, self.token = rng, venue, token
        self.now, self.left = int(time.time() * 1000) - 8 * 86_400_000, 0

    def event(self):
        state = 2
        if self.left == 0:
            self.session, self.left, self.energy, state = uuid.UUID(int=self.rng.getrandbits(128)).bytes, self.rng.randrange(2, 90), 0, 1
        else:
            self.energy += self.rng.randrange(0, 2_000)
        self.left -= 1
        self.now += self.rng.randrange(0, 1_500)
        session = dict(id=self.session, state=3 if self.left == 0 else state, guidance_token=self.token)
        return dict(id=uuid.UUID(int=self.rng.getrandbits(128)).bytes, timestamp_unix_ms=self.now, venue_id=self.venue,
                    device=dict(id="car-1", name="Car", type=1),
                    vehicle_load=dict(session=session, state_of_charge=50, direction=1, power_mw=7_000_000,
                                      energy_mwh=self.energy))
