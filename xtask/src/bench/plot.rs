//! Figures as a picture: panels side by side, both axes logarithmic, so that what grows linearly is a straight line up the
//! diagonal. The same figures give the same bytes.

use std::fmt::Write as _;

/// One curve.
pub struct Line {
    /// What it is of.
    pub name: &'static str,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

/// One pair of axes.
pub struct Panel {
    /// What goes up, with its unit.
    pub title: &'static str,
    /// A value that should not be exceeded.
    pub goal: f64,
    /// The curves.
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 40.0;

/// Of light and of dark pages; the first curve is the first of the two classes.
const STYLE: &str = "text{font:12px sans-serif;fill:#24292f}.grid{stroke:#d0d7de}.goal{stroke:#cf222e;stroke-dasharray:5 4}\
    .c0{stroke:#0550ae}.c1{stroke:#bc4c00}.c0,.c1{fill:none;stroke-width:2}circle.c0{fill:#0550ae}circle.c1{fill:#bc4c00}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#3d444d}.goal{stroke:#ff7b72}.c0{stroke:#79c0ff}\
    .c1{stroke:#ffa657}circle.c0{fill:#79c0ff}circle.c1{fill:#ffa657}}";

/// The picture.
pub fn svg(panels: &[Panel]) -> String {
    let width = WIDTH * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{HEIGHT:.0}\" viewBox=\"0 0 {width:.0} {HEIGHT:.0}\">\n<style>{STYLE}</style>\n"
    );
    for (number, panel) in panels.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<g transform=\"translate({:.0} 0)\">",
            WIDTH * number as f64
        );
        panel.draw(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// The powers of ten around some values.
struct Axis {
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    fn around(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let low = logs.clone().fold(f64::MAX, f64::min).min(f64::MAX);
        let high = logs.fold(f64::MIN, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let low = low.floor() as i32;
        Self {
            low,
            high: (high.ceil() as i32).max(low + 1),
            from,
            to,
        }
    }

    /// Where a value is; what is no positive number is at the low end.
    fn place(&self, value: f64) -> f64 {
        let log = value.max(10_f64.powi(self.low)).log10();
        let part = (log - f64::from(self.low)) / f64::from(self.high - self.low);
        self.from + part * (self.to - self.from)
    }
}

impl Panel {
    fn draw(&self, svg: &mut String) {
        let points = || self.lines.iter().flat_map(|line| &line.points);
        let across = Axis::around(points().map(|(x, _)| *x), LEFT, WIDTH - RIGHT);
        let values = points().map(|(_, y)| *y).chain([self.goal]);
        let up = Axis::around(values, HEIGHT - BOTTOM, TOP);
        let mut text = |x: f64, y: f64, anchor: &str, words: &str| {
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
            );
        };
        text(LEFT, TOP - 14.0, "start", self.title);
        text(
            (LEFT + WIDTH - RIGHT) / 2.0,
            HEIGHT - 6.0,
            "middle",
            "waited for",
        );
        for power in across.low..=across.high {
            let x = across.place(10_f64.powi(power));
            text(
                x.min(WIDTH - RIGHT - 14.0),
                HEIGHT - BOTTOM + 16.0,
                "middle",
                &number(power),
            );
        }
        for power in up.low..=up.high {
            let y = up.place(10_f64.powi(power));
            text(LEFT - 6.0, y + 4.0, "end", &number(power));
        }
        for (place, line) in self.lines.iter().enumerate() {
            let (x, y) = (LEFT + 30.0, TOP + 16.0 + 16.0 * place as f64);
            text(x, y, "start", line.name);
        }
        for power in up.low..=up.high {
            let y = up.place(10_f64.powi(power));
            segment(svg, "grid", (LEFT, y), (WIDTH - RIGHT, y));
        }
        let goal = up.place(self.goal);
        segment(svg, "goal", (LEFT, goal), (WIDTH - RIGHT, goal));
        for (place, line) in self.lines.iter().enumerate() {
            let class = format!("c{}", place % 2);
            let y = TOP + 12.0 + 16.0 * place as f64;
            segment(svg, &class, (LEFT + 8.0, y), (LEFT + 26.0, y));
            let placed: Vec<(f64, f64)> = line
                .points
                .iter()
                .map(|(x, y)| (across.place(*x), up.place(*y)))
                .collect();
            let path: Vec<String> = placed
                .iter()
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let _ = writeln!(
                svg,
                "<polyline class=\"{class}\" points=\"{}\"/>",
                path.join(" ")
            );
            for (x, y) in placed {
                let _ = writeln!(
                    svg,
                    "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
                );
            }
        }
    }
}

fn segment(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    let _ = writeln!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    );
}

/// A power of ten in digits.
fn number(power: i32) -> String {
    let decimals = usize::try_from(-power).unwrap_or_default();
    format!("{:.decimals$}", 10_f64.powi(power))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        let line = |name, factor: f64| Line {
            name,
            points: [10.0, 100.0, 1e3, 1e4].map(|x| (x, x * factor)).to_vec(),
        };
        Panel {
            title: "ms",
            goal: 100.0,
            lines: vec![line("stacks", 0.01), line("shares", 0.005)],
        }
    }

    #[test]
    fn the_same_figures_give_the_same_picture() {
        let picture = svg(&[panel(), panel()]);
        assert_eq!(picture, svg(&[panel(), panel()]));
        assert!(picture.contains("prefers-color-scheme:dark"));
        assert_eq!(picture.matches("<polyline").count(), 4);
        assert_eq!(picture.matches("<circle").count(), 16);
        assert!(!picture.contains("NaN") && !picture.contains("inf"));
    }

    #[test]
    fn what_grows_linearly_is_a_straight_line() {
        let axis = |values: [f64; 2]| Axis::around(values.into_iter(), 0.0, 100.0);
        let (across, up) = (axis([10.0, 1e4]), axis([0.1, 100.0]));
        for x in [10.0, 100.0, 1e3, 1e4] {
            assert!((across.place(x) - up.place(x / 100.0)).abs() < 1e-9, "{x}");
        }
        assert!(across.place(0.0).abs() < 1e-9);
    }

    #[test]
    fn powers_of_ten_are_shown_in_digits() {
        let shown = [-2, -1, 0, 1, 4].map(number);
        assert_eq!(shown, ["0.01", "0.1", "1", "10", "10000"]);
    }
}
