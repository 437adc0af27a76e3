//! Pixels as sixels: six lines at a time, colour by colour, of a fixed set of 6 x 6 x 6 colours with their neighbours mixed.

use super::png::Pixels;
use std::fmt::Write as _;

/// Steps of each of red, green and blue.
const STEPS: u32 = 6;
/// How much a pixel of a square of 4 x 4 is raised before its colour is rounded, of 16: from afar the square has the colour between.
const RAISED: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
/// What is less opaque is not drawn.
const OPAQUE: u8 = 128;

/// The sequence of an image that is no wider than so many pixels.
pub fn sixel(image: &Pixels, widest: u32) -> String {
    let width = image.width.min(widest.max(1));
    let height = (u64::from(image.height) * u64::from(width) / u64::from(image.width)).max(1);
    let height = u32::try_from(height).unwrap_or(image.height);
    let mut out = format!("\u{1b}Pq\"1;1;{width};{height}");
    for color in 0..STEPS.pow(3) {
        let percent = |part: u32| part % STEPS * 100 / (STEPS - 1);
        let _infallible = write!(
            out,
            "#{color};2;{};{};{}",
            percent(color / STEPS / STEPS),
            percent(color / STEPS),
            percent(color)
        );
    }
    for top in (0..height).step_by(6) {
        // The bits of each colour that this strip has.
        let mut strip: std::collections::BTreeMap<u32, Vec<u8>> = std::collections::BTreeMap::new();
        for y in top..height.min(top + 6) {
            for x in 0..width {
                if let Some(color) = color(image, (x, y), (width, height)) {
                    let bits = strip.entry(color).or_insert_with(|| vec![0; width as usize]);
                    bits[x as usize] |= 1 << (y - top);
                }
            }
        }
        for (number, (color, bits)) in strip.iter().enumerate() {
            if number > 0 {
                out.push('$');
            }
            let _infallible = write!(out, "#{color}");
            for run in bits.chunk_by(|one, other| one == other) {
                let sign = char::from(b'?' + run[0]);
                match run.len() {
                    length @ 4.. => {
                        let _infallible = write!(out, "!{length}{sign}");
                    }
                    length => out.extend(std::iter::repeat_n(sign, length)),
                }
            }
        }
        out.push('-');
    }
    out.push_str("\u{1b}\\");
    out
}

/// The colour of a pixel of the image in its new size; `None` where it is not drawn.
fn color(image: &Pixels, (x, y): (u32, u32), (width, height): (u32, u32)) -> Option<u32> {
    let at = |place: u32, of: u32, size: u32| u64::from(place) * u64::from(size) / u64::from(of);
    let place = at(y, height, image.height) * u64::from(image.width) + at(x, width, image.width);
    let [red, green, blue, opacity] = *image.rgba.get(usize::try_from(place).ok()?)?;
    let raised = RAISED[(y % 4) as usize][(x % 4) as usize] * 255 / 16;
    let step = |part: u8| (u32::from(part) * (STEPS - 1) + raised) / 255;
    (opacity >= OPAQUE).then(|| (step(red) * STEPS + step(green)) * STEPS + step(blue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_becomes_strips_of_six_lines_no_wider_than_the_terminal() {
        let (red, clear) = ([255, 0, 0, 255], [0, 0, 0, 0]);
        let image = Pixels { width: 4, height: 8, rgba: [[red, red, red, clear]; 8].concat() };
        let text = sixel(&image, 100);
        assert!(
            text.starts_with("\u{1b}Pq\"1;1;4;8#0;2;0;0;0#1;2;0;0;20") && text.ends_with("\u{1b}\\"),
            "{text}"
        );
        // Six lines are all bits, two the lower ones; what is clear has none.
        let drawn = text.rsplit_once("100;100;100").expect("colours").1;
        assert_eq!(drawn, "#180~~~?-#180BBB?-\u{1b}\\");
        assert!(sixel(&image, 2).contains("\"1;1;2;4#"));
        // Between two colours there is some of both.
        let mixed = Pixels { width: 4, height: 4, rgba: vec![[25, 25, 25, 255]; 16] };
        let drawn = sixel(&mixed, 4).rsplit_once("100;100;100").expect("colours").1.to_owned();
        assert!(drawn.contains("#0") && drawn.contains("#43"), "{drawn}");
    }
}
