//! Names of fields whose values are secrets of a person: passwords, codes, numbers of cards, accounts and documents.

/// Words that name a secret, without accents, in the languages whose pages are read. Short ones are names only where they
/// stand by themselves.
const SECRET_WORDS: &[&str] = &[
    // Passwords and keys.
    "password",
    "passcode",
    "passphrase",
    "pass phrase",
    "secret",
    "token",
    "api key",
    "private key",
    "recovery key",
    "seed phrase",
    "passwort",
    "kennwort",
    "contrasena",
    "mot de passe",
    "senha",
    "palavra-passe",
    "parola d'ordine",
    "wachtwoord",
    "haslo",
    "losenord",
    "passord",
    "adgangskode",
    "salasana",
    // Codes.
    "pin",
    "otp",
    "tan",
    "2fa",
    "one-time",
    "one time",
    "verification code",
    "authentication code",
    "confirmation code",
    "security code",
    "recovery code",
    "backup code",
    "bestatigungscode",
    "sicherheitscode",
    "einmalcode",
    "prufziffer",
    "code de verification",
    "code de securite",
    "code de confirmation",
    "code confidentiel",
    "cryptogramme",
    "codigo de verificacion",
    "codigo de seguridad",
    "codigo de verificacao",
    "codigo de seguranca",
    "codice di verifica",
    "codice di sicurezza",
    "verificatiecode",
    "beveiligingscode",
    "kod weryfikacyjny",
    "kod autoryzacyjny",
    "kod bezpieczenstwa",
    "kod sms",
    "verifieringskod",
    "sakerhetskod",
    "engangskode",
    "sikkerhetskode",
    // Cards.
    "cvc",
    "cvv",
    "csc",
    "card",
    "creditcard",
    "kreditkarte",
    "kartennummer",
    "carte bancaire",
    "carte de credit",
    "numero de carte",
    "tarjeta",
    "cartao",
    "carta di credito",
    "kaartnummer",
    "numer karty",
    "kortnummer",
    // Accounts.
    "iban",
    "account number",
    "routing",
    "sort code",
    "kontonummer",
    "numero de compte",
    "numero de cuenta",
    "numero de conta",
    "numer konta",
    "rekeningnummer",
    // Documents and numbers of persons.
    "ssn",
    "social security",
    "national insurance",
    "passport",
    "tax id",
    "reisepass",
    "personalausweis",
    "steuernummer",
    "sozialversicherung",
    "passeport",
    "securite sociale",
    "pasaporte",
    "passaporte",
    "passaporto",
    "codice fiscale",
    "paspoort",
    "bsn",
    "pesel",
    "paszport",
    "personnummer",
    "fodselsnummer",
];

/// Whether a label, or what a page says beside it, names a secret of a person.
pub fn names_secret(label: &str) -> bool {
    let label = locale::fold_diacritics(label);
    SECRET_WORDS.iter().any(|word| stands_in(&label, word))
}

/// Whether a word stands in a label, by itself where it is short: `pin` does not stand in `shipping`.
fn stands_in(label: &str, word: &str) -> bool {
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    label.match_indices(word).any(|(at, _)| {
        let before = label.get(..at).unwrap_or_default();
        let after = label.get(at + word.len()..).unwrap_or_default();
        word.len() > 4 || (is_edge(before.chars().next_back()) && is_edge(after.chars().next()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names_in_many_languages() {
        for label in [
            "Password",
            "Card number",
            "PIN",
            "Your one-time code",
            "IBAN / BIC",
            "Contraseña",
            "CONTRASENA",
            "Code de vérification",
            "Código de segurança",
            "Hasło",
            "Kod weryfikacyjny",
            "Bestätigungscode",
            "Kontonummer",
            "Fødselsnummer",
        ] {
            assert!(names_secret(label), "{label}");
        }
        for label in [
            "Shipping address",
            "Opinion",
            "Name",
            "City",
            "Titan",
            "Discard",
            "Postcode",
            "",
        ] {
            assert!(!names_secret(label), "{label}");
        }
    }

    #[test]
    fn the_words_are_written_as_labels_are_compared() {
        for word in SECRET_WORDS {
            assert_eq!(*word, locale::fold_diacritics(word));
        }
    }
}
