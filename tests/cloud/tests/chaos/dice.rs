//! Numbers that are the same in every run with the same seed.

/// A generator; a clone goes on as the original would have.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// One for each list of numbers.
    pub fn new(seeds: &[u64]) -> Self {
        let mut dice = Self(0);
        for seed in seeds {
            dice.0 ^= *seed;
            dice.0 = dice.next();
        }
        dice
    }

    /// A number below `sides`, or 0.
    pub fn roll(&mut self, sides: u64) -> u64 {
        (self.next() >> 16) % sides.max(1)
    }

    // Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
