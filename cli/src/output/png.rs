//! Pixels of a PNG, for terminals that take pixels only. Forms that are rare are left to other programs: interlaced ones.

use std::io::Read as _;

/// The most pixels of an image that is decoded: they are in memory.
const MOST: u32 = 4_000_000;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Red, green, blue and opacity of each pixel, line by line.
#[derive(Debug, PartialEq, Eq)]
pub struct Pixels {
    pub width: u32,
    pub height: u32,
    pub rgba: Vec<[u8; 4]>,
}

/// The width and height that a PNG says at its beginning.
pub fn size(png: &[u8]) -> Option<[u32; 2]> {
    let rest = png.strip_prefix(SIGNATURE)?;
    let number = |at: usize| Some(u32::from_be_bytes(rest.get(at..at + 4)?.try_into().ok()?));
    (rest.get(4..8)? == b"IHDR").then_some([number(8)?, number(12)?])
}

/// The pixels of a PNG; `None` if it is not a PNG, is broken, too large, or of a form that is not read.
pub fn pixels(png: &[u8]) -> Option<Pixels> {
    let mut rest = png.strip_prefix(SIGNATURE)?;
    let (mut header, mut palette, mut clear, mut packed) = (None, &[][..], &[][..], Vec::new());
    while let Some((start, after)) = rest.split_at_checked(8) {
        let length = u32::from_be_bytes(start[..4].try_into().ok()?) as usize;
        let (data, after) = after.split_at_checked(length)?;
        match &start[4..] {
            b"IHDR" => header = Some(data),
            b"PLTE" => palette = data,
            b"tRNS" => clear = data,
            b"IDAT" => packed.extend_from_slice(data),
            b"IEND" => break,
            _ => {}
        }
        // The checksum behind it; the terminal shows what is there.
        rest = after.get(4..)?;
    }
    let header: &[u8; 13] = header?.try_into().ok()?;
    let number = |at: usize| Some(u32::from_be_bytes(header.get(at..at + 4)?.try_into().ok()?));
    let (width, height) = (number(0)?, number(4)?);
    let (depth, color, is_interlaced) = (header[8], header[9], header[12] != 0);
    let channels: usize = match color {
        0 | 3 => 1,
        4 => 2,
        2 => 3,
        6 => 4,
        _ => return None,
    };
    let fits = matches!((color, depth), (0 | 3, 1 | 2 | 4) | (_, 8) | (0 | 2 | 4 | 6, 16));
    if is_interlaced
        || !fits
        || width == 0
        || height == 0
        || width.checked_mul(height).is_none_or(|all| all > MOST)
    {
        return None;
    }
    let bits = channels * usize::from(depth);
    let (line, step) = ((width as usize * bits).div_ceil(8), bits.div_ceil(8));
    let size = (line + 1) * height as usize;
    let mut bytes = Vec::with_capacity(size);
    // What is behind the last line is not unpacked.
    flate2::read::ZlibDecoder::new(&packed[..]).take(size as u64).read_to_end(&mut bytes).ok()?;
    if bytes.len() < size {
        return None;
    }
    let mut before = vec![0; line];
    let mut rgba = Vec::with_capacity(width as usize * height as usize);
    for row in bytes.chunks_exact_mut(line + 1) {
        let (filter, row) = row.split_first_mut()?;
        unfilter(*filter, row, &before, step)?;
        rgba.extend((0..width as usize).map(|x| {
            let sample = |channel: usize| match depth {
                8 => row[x * channels + channel],
                16 => row[(x * channels + channel) * 2],
                _ => {
                    let at = x * usize::from(depth);
                    (row[at / 8] >> (8 - usize::from(depth) - at % 8)) & ((1 << depth) - 1)
                }
            };
            match color {
                3 => {
                    let at = usize::from(sample(0));
                    let part = |channel: usize| palette.get(at * 3 + channel).copied().unwrap_or(0);
                    [part(0), part(1), part(2), clear.get(at).copied().unwrap_or(255)]
                }
                0 | 4 => {
                    let most = if depth < 8 { (1 << depth) - 1 } else { 255 };
                    let gray = u8::try_from(u32::from(sample(0)) * 255 / most).unwrap_or(255);
                    [gray, gray, gray, if color == 4 { sample(1) } else { 255 }]
                }
                _ => [sample(0), sample(1), sample(2), if color == 6 { sample(3) } else { 255 }],
            }
        }));
        before.copy_from_slice(row);
    }
    Some(Pixels { width, height, rgba })
}

/// Takes back what a line was changed by before it was packed.
fn unfilter(filter: u8, row: &mut [u8], before: &[u8], step: usize) -> Option<()> {
    for at in 0..row.len() {
        let (left, corner) = if at < step { (0, 0) } else { (row[at - step], before[at - step]) };
        let above = before[at];
        let more = match filter {
            0 => 0,
            1 => left,
            2 => above,
            3 => u8::midpoint(left, above),
            4 => {
                let [a, b, c] = [left, above, corner].map(i32::from);
                let [pa, pb, pc] = [(b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs()];
                if pa <= pb && pa <= pc {
                    left
                } else if pb <= pc {
                    above
                } else {
                    corner
                }
            }
            _ => return None,
        };
        row[at] = row[at].wrapping_add(more);
    }
    Some(())
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use std::io::Write as _;

    /// A PNG of lines, each with its filter in front.
    pub fn png(
        width: u32,
        height: u32,
        [depth, color]: [u8; 2],
        more: &[(&[u8], &[u8])],
        lines: &[u8],
    ) -> Vec<u8> {
        let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(lines).expect("memory");
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, color, 0, 0, 0]].concat();
        let packed = packed.finish().expect("memory");
        let parts = [(&b"IHDR"[..], &header[..])].into_iter().chain(more.iter().copied());
        let mut png = SIGNATURE.to_vec();
        for (name, data) in parts.chain([(&b"IDAT"[..], &packed[..]), (&b"IEND"[..], &[][..])]) {
            let length = u32::try_from(data.len()).expect("small").to_be_bytes();
            png.extend([&length[..], name, data, &[0; 4]].concat());
        }
        png
    }

    #[test]
    fn every_form_that_is_not_interlaced_is_read_and_what_is_broken_is_not() {
        let (red, gray, clear) = ([255, 0, 0, 255], [85, 85, 85, 255], [0, 0, 255, 0]);
        for (png, seen) in [
            (png(2, 1, [8, 2], &[], &[1, 255, 0, 0, 0, 0, 0]), vec![red, red]),
            (png(1, 2, [8, 6], &[], &[0, 0, 0, 255, 0, 2, 255, 0, 1, 255]), vec![clear, red]),
            (png(2, 1, [2, 0], &[], &[0, 0b0101_0000]), vec![gray, gray]),
            (png(1, 1, [16, 2], &[], &[0, 255, 1, 0, 1, 0, 1]), vec![red]),
            (
                png(
                    2,
                    1,
                    [1, 3],
                    &[(b"PLTE", &[255, 0, 0, 0, 0, 255]), (b"tRNS", &[255, 0])],
                    &[0, 0b0100_0000],
                ),
                vec![red, clear],
            ),
            (
                png(2, 2, [8, 0], &[], &[4, 85, 0, 3, 42, 0]),
                vec![gray, gray, [84, 84, 84, 255], [84, 84, 84, 255]],
            ),
        ] {
            assert_eq!(pixels(&png).expect("an image").rgba, seen);
            for length in 0..png.len() - 12 {
                let _nothing_or_less = pixels(&png[..length]);
            }
        }
        let mut interlaced = png(1, 1, [8, 0], &[], &[0, 1]);
        interlaced[28] = 1;
        let short = png(2, 2, [8, 0], &[], &[0, 1, 1]);
        let large = png(3000, 3000, [8, 0], &[], &[0, 1]);
        for bytes in [
            &interlaced[..],
            &short,
            &large,
            &png(0, 1, [8, 0], &[], &[0]),
            &png(1, 1, [8, 0], &[], &[9, 1]),
            b"GIF89a",
        ] {
            assert_eq!(pixels(bytes), None);
        }
    }
}
