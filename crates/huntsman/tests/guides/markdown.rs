//! The fenced blocks of a Markdown page: commands with what they print, files to save, and blocks that are not run.

/// A command of a `console` block.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Command {
    /// Line of the page on which the command begins, from 1.
    pub(crate) line: usize,
    /// The text after `$ `, with the lines that continue it.
    pub(crate) text: String,
    /// The lines that it prints, where `...` stands for whatever varies.
    pub(crate) expected: Vec<String>,
    /// First line of the output, from 1; that of the next command or of the closing fence when nothing is printed.
    pub(crate) output_line: usize,
}

/// What a reader does with a block.
#[derive(Debug, PartialEq)]
pub(crate) enum Step {
    /// Types commands, of which the last ends with this exit code and all others with 0.
    Console { commands: Vec<Command>, exit: i32 },
    /// Starts one command in another terminal, where it goes on.
    Background(Command),
    /// Saves a file.
    File { name: String, text: String },
    /// Reads commands that no test runs, for this reason.
    NotRun { line: usize, reason: String },
}

/// The steps of a page in order. Blocks of other languages that name no file are for reading only.
///
/// # Errors
/// A line for each block whose info string cannot be read, and for commands outside of a `console` block.
pub(crate) fn steps(page: &str) -> Result<Vec<Step>, Vec<String>> {
    let (mut steps, mut faults) = (Vec::new(), Vec::new());
    let mut lines = page.lines().enumerate().map(|(index, line)| (index + 1, line));
    while let Some((line, fence)) = lines.next() {
        let Some(info) = fence.strip_prefix("```") else {
            continue;
        };
        let body: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, text)| *text != "```").collect();
        match step(info, line, &body) {
            Ok(found) => steps.extend(found),
            Err(fault) => faults.push(format!("line {line}: {fault}")),
        }
    }
    if faults.is_empty() { Ok(steps) } else { Err(faults) }
}

fn step(info: &str, line: usize, body: &[(usize, &str)]) -> Result<Option<Step>, String> {
    let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
    if let Some(name) = rest.strip_prefix("file=") {
        let text: String = body.iter().map(|(_, text)| format!("{text}\n")).collect();
        let name = name.to_owned();
        return Ok(Some(Step::File { name, text }));
    }
    if language != "console" {
        let is_command = |text: &str| {
            let mut words = text.split_whitespace().skip_while(|word| word.contains('='));
            matches!(words.next(), Some("$" | "huntsman" | "curl" | "export" | "cargo"))
        };
        return match body.iter().find(|(_, text)| is_command(text)) {
            Some((_, text)) => Err(format!(
                "{text:?} is a command; commands stand in ```console blocks"
            )),
            None => Ok(None),
        };
    }
    if let Some(reason) = rest.strip_prefix("not-run: ") {
        let reason = reason.to_owned();
        return Ok(Some(Step::NotRun { line, reason }));
    }
    let mut commands = commands(line, body)?;
    let exit = rest.strip_prefix("exit=").and_then(|number| number.parse().ok());
    match (rest, exit) {
        ("", _) => Ok(Some(Step::Console { commands, exit: 0 })),
        (_, Some(exit)) => Ok(Some(Step::Console { commands, exit })),
        ("background", _) => match (commands.pop(), commands.is_empty()) {
            (Some(command), true) => Ok(Some(Step::Background(command))),
            _ => Err("a block in the background has one command".into()),
        },
        _ => Err(format!(
            "{rest:?} is neither \"background\", \"exit=CODE\", \"file=NAME\" nor \"not-run: REASON\""
        )),
    }
}

fn commands(line: usize, body: &[(usize, &str)]) -> Result<Vec<Command>, String> {
    let mut commands: Vec<Command> = Vec::new();
    let mut continues = false;
    for (number, text) in body {
        if let Some(command) = text.strip_prefix("$ ") {
            commands.push(Command {
                line: *number,
                text: command.to_owned(),
                expected: Vec::new(),
                output_line: number + 1,
            });
        } else {
            let command = commands.last_mut();
            let command = command.ok_or(format!("line {line}: a console block begins with `$ `"))?;
            if continues {
                command.text = format!("{}\n{text}", command.text);
                command.output_line = number + 1;
            } else {
                command.expected.push((*text).to_owned());
                continue;
            }
        }
        // A line goes on after a backslash, and within an open quotation mark.
        continues = commands
            .last()
            .is_some_and(|command| text.ends_with('\\') || command.text.matches('\'').count() % 2 == 1);
    }
    Ok(commands)
}

/// Whether what was printed is what the page says: a line `...` stands for any lines, `...` within a line for any text.
pub(crate) fn matches(expected: &[String], printed: &[&str]) -> bool {
    // `reached[i]`: the lines so far can be matched by the first `i` lines of the page.
    let mut reached = vec![false; expected.len() + 1];
    let skip = |reached: &mut Vec<bool>| {
        for (index, line) in expected.iter().enumerate() {
            reached[index + 1] |= reached[index] && line.trim() == "...";
        }
    };
    reached[0] = true;
    skip(&mut reached);
    for line in printed {
        let mut next = vec![false; reached.len()];
        for (index, pattern) in expected.iter().enumerate() {
            // `skip` has let `...` begin; it goes on for as many lines as it likes.
            next[index + 1] |= pattern.trim() == "..." && reached[index + 1];
            next[index + 1] |= pattern.trim() != "..." && reached[index] && line_matches(pattern, line);
        }
        skip(&mut next);
        reached = next;
    }
    reached[expected.len()]
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let (pattern, line) = (pattern.trim_end(), line.trim_end());
    let mut parts: Vec<&str> = pattern.split("...").collect();
    let last = parts.pop().unwrap_or_default();
    let Some((first, middle)) = parts.split_first() else {
        return line == pattern;
    };
    let Some(mut rest) = line.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    middle.iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

#[test]
fn three_dots_stand_for_what_varies() {
    let expected = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let matched =
        |pattern: &str, printed: &str| matches(&expected(pattern), &printed.lines().collect::<Vec<_>>());
    assert!(matched("a\n...\nb", "a\nx\ny\nb") && matched("a\n...\nb", "a\nb"));
    assert!(matched("run_... done", "run_17 done") && !matched("run_... done", "run_17 failed"));
    assert!(!matched("a", "a\nb") && !matched("a\nb", "a") && !matched("", "a") && matched("", ""));
    assert!(!matched("ab...ba", "aba"), "both ends have their own signs");
}

#[test]
fn blocks_say_what_a_reader_does() {
    let page = "text\n```console exit=1\n$ a \\\n  b\nout\n$ c\n```\n```json file=x.json\n{}\n```\n\
        ```console not-run: needs a network\n$ d\n```\n```python\nprint(1)\n```\n";
    let command = |line, text: &str, expected: &[&str], output_line| Command {
        line,
        text: text.into(),
        expected: expected.iter().map(|it| (*it).into()).collect(),
        output_line,
    };
    let commands = vec![command(3, "a \\\n  b", &["out"], 5), command(6, "c", &[], 7)];
    let expected = [
        Step::Console { commands, exit: 1 },
        Step::File {
            name: "x.json".into(),
            text: "{}\n".into(),
        },
        Step::NotRun {
            line: 11,
            reason: "needs a network".into(),
        },
    ];
    assert_eq!(steps(page).unwrap(), expected);
    assert!(steps("```console slow\n$ a\n```").is_err() && steps("```\nhuntsman doctor\n```").is_err());
}
