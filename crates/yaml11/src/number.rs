//! Numbers as Python reads and writes them.

use serde_json::Number;

/// Python refuses to turn longer decimal numbers into text or back (`sys.int_info.default_max_str_digits`).
const MOST_DIGITS: usize = 4300;

/// An integer in any of YAML 1.1's forms, in decimal; None where Python raises an error.
pub(crate) fn integer(text: &str) -> Option<String> {
    let text = text.replace('_', "");
    let (negative, text) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(&text)),
    };
    let digits = if let Some(digits) = text.strip_prefix("0b") {
        positional(digits, 2)?
    } else if let Some(digits) = text.strip_prefix("0x") {
        positional(digits, 16)?
    } else if text.len() > 1 && text.starts_with('0') {
        // `0o7` is text to YAML 1.1, but not to Python once it is tagged `!!int`.
        positional(text.strip_prefix("0o").unwrap_or(text), 8)?
    } else if text.contains(':') {
        let mut sum = Natural::default();
        for part in text.split(':') {
            let digits = decimal(part.trim())?;
            sum.times(60)?;
            sum.add(&digits)?;
        }
        sum.to_text()
    } else {
        let text = text.trim();
        let (inner, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let digits = decimal(digits)?;
        return Some(signed(negative != inner, digits));
    };
    Some(signed(negative, digits))
}

fn signed(negative: bool, digits: String) -> String {
    if negative && digits != "0" {
        format!("-{digits}")
    } else {
        digits
    }
}

/// Decimal digits without leading zeros.
fn decimal(digits: &str) -> Option<String> {
    if digits.is_empty()
        || digits.len() > MOST_DIGITS
        || !digits.bytes().all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let short = digits.trim_start_matches('0');
    Some(if short.is_empty() { "0" } else { short }.to_owned())
}

fn positional(digits: &str, base: u32) -> Option<String> {
    let digits = digits.trim();
    if digits.is_empty() {
        return None;
    }
    let mut sum = Natural::default();
    for c in digits.chars() {
        let digit = c.to_digit(base)?;
        sum.times(base)?;
        sum.carry(u64::from(digit))?;
    }
    Some(sum.to_text())
}

/// A natural number of any size, nine decimal digits a limb, the lowest first.
#[derive(Default)]
struct Natural {
    limbs: Vec<u32>,
}

const LIMB: u64 = 1_000_000_000;

impl Natural {
    /// None when the number grows beyond what Python would write.
    fn times(&mut self, factor: u32) -> Option<()> {
        self.multiply_add(u64::from(factor), 0)
    }

    fn carry(&mut self, addend: u64) -> Option<()> {
        self.multiply_add(1, addend)
    }

    fn multiply_add(&mut self, factor: u64, addend: u64) -> Option<()> {
        let mut carry = addend;
        for limb in &mut self.limbs {
            let sum = u64::from(*limb) * factor + carry;
            *limb = u32::try_from(sum % LIMB).ok()?;
            carry = sum / LIMB;
        }
        while carry > 0 {
            self.limbs.push(u32::try_from(carry % LIMB).ok()?);
            carry /= LIMB;
        }
        (self.limbs.len() <= MOST_DIGITS / 9 + 1).then_some(())
    }

    fn add(&mut self, digits: &str) -> Option<()> {
        let mut rest = digits.as_bytes();
        let mut at = 0;
        let mut carry = 0;
        while !rest.is_empty() || carry > 0 {
            let (head, tail) = rest.split_at(rest.len().saturating_sub(9));
            let low = std::str::from_utf8(tail).ok()?;
            let low = if low.is_empty() {
                0
            } else {
                low.parse::<u64>().ok()?
            };
            rest = head;
            if self.limbs.len() == at {
                self.limbs.push(0);
            }
            let limb = self.limbs.get_mut(at)?;
            let sum = u64::from(*limb) + low + carry;
            *limb = u32::try_from(sum % LIMB).ok()?;
            carry = sum / LIMB;
            at += 1;
        }
        Some(())
    }

    fn to_text(&self) -> String {
        let mut text: String = self.limbs.iter().rev().map(|l| format!("{l:09}")).collect();
        let zeros = text.bytes().take_while(|&b| b == b'0').count();
        text.drain(..zeros);
        if text.is_empty() {
            text.push('0');
        }
        text
    }
}

/// A floating point number in any of YAML 1.1's forms; None where Python raises an error.
pub(crate) fn float(text: &str) -> Option<f64> {
    let text = text.replace('_', "").to_lowercase();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1.0, rest),
        None => (1.0, text.strip_prefix('+').unwrap_or(&text)),
    };
    let number = match text {
        ".inf" => f64::INFINITY,
        ".nan" => return Some(f64::NAN),
        _ if text.contains(':') => {
            let mut base = 1.0;
            let mut sum = 0.0;
            for part in text.rsplit(':') {
                sum += part.trim().parse::<f64>().ok()? * base;
                base *= 60.0;
            }
            sum
        }
        _ => text.trim().parse().ok()?,
    };
    Some(sign * number)
}

/// What Python's `repr` writes: the shortest digits, an exponent below 1e-4 and from 1e16.
pub(crate) fn python_repr(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = nearest_digits(number);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let decimals = mantissa
            .split_once('.')
            .map_or(0, |(_, decimals)| decimals.len());
        let decimals = i32::try_from(decimals).unwrap_or(0) - exponent;
        return format!("{number:.*}", usize::try_from(decimals.max(1)).unwrap_or(1));
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

/// The shortest digits in scientific form. Where two such numbers are equally near, Python takes the even one, and
/// Rust's shortest form the upper one; with the number of digits given, Rust takes the even one, too.
fn nearest_digits(number: f64) -> String {
    let shortest = format!("{number:e}");
    let mantissa = shortest
        .split_once('e')
        .map_or("", |(mantissa, _)| mantissa);
    let decimals = mantissa
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    let nearest = format!("{number:.decimals$e}");
    let same = nearest
        .parse::<f64>()
        .is_ok_and(|back| back.to_bits() == number.to_bits());
    if same { nearest } else { shortest }
}

/// The JSON number for a floating point number, in the digits of Python's `json.dumps`.
pub(crate) fn json_float(number: f64) -> Number {
    let text = if number.is_nan() {
        "NaN".to_owned()
    } else if number.is_infinite() {
        if number > 0.0 {
            "Infinity"
        } else {
            "-Infinity"
        }
        .to_owned()
    } else {
        python_repr(number)
    };
    json_digits(text)
}

/// A JSON number of exactly these digits.
pub(crate) fn json_digits(digits: String) -> Number {
    // The checked constructor knows no `Infinity`, which is what Python sends.
    Number::from_string_unchecked(digits)
}
