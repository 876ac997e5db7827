// Keys, team, sessions, account and the admin log.
export const SETTINGS = {
  "Plan {plan}": "Tarif {plan}",
  "(no limit)": "(ohne Grenze)",
  "no limit": "ohne Grenze",
  Storage: "Speicher",
  Requests: "Anfragen",
  "{requests} per 10 minutes, the dashboard aside": "{requests} in 10 Minuten, ohne das Dashboard",
  Batch: "Stapel",
  "{batch} leads at a time": "{batch} Leads auf einmal",
  "An administrator can change the plan: {code}": "Den Tarif ändert ein Administrator: {code}",
  Role: "Rolle",
  "Phones are read without a country": "Telefonnummern werden ohne Land gelesen",
  "Phones are read as of {of}": "Telefonnummern gelten für {of}",
  "Default country for phone numbers": "Standardland für Telefonnummern",
  "030 1234567 and +49 30 1234567 are then the same phone. A lead's own country comes first.":
    "030 1234567 und +49 30 1234567 sind dann dieselbe Nummer. Das Land des Leads geht vor.",
  "Nothing yet": "Noch nichts",
  "Keys that are made and revoked, people, sign-ins, webhooks, plans and restores are written down here.":
    "Hier stehen erstellte und widerrufene Schlüssel, Personen, Anmeldungen, Webhooks, Tarife und Wiederherstellungen.",
  "Sign-ins, keys and settings. Changes of leads are listed under Activity.":
    "Wer Zugang bekam und was eingestellt wurde. Was mit Leads geschah, steht in der Aktivität.",
  " with a {with}": " mit {with}",
  "Welcome, {name}": "Willkommen, {name}",
  "You are invited as {role}.": "Sie sind als {role} eingeladen.",
  "You are invited to the leads of {b} as {role}.": "Sie sind zu den Leads von {b} als {role} eingeladen.",
  "a viewer": "Leser",
  "an editor": "Bearbeiter",
  "an owner": "Inhaber",
  "Create a passkey": "Passkey erstellen",
  "or choose a password": "oder ein Passwort wählen",
  "This link does not work": "Dieser Link funktioniert nicht",
  "Ask the person who sent it for a new one.": "Bitten Sie den Absender um einen neuen.",
  "At least 10 characters; a sentence is best.": "Mindestens 10 Zeichen; am besten ein Satz.",
  "Join with a password": "Mit Passwort beitreten",
  "New key": "Neuer Schlüssel",
  "A key lets a program, a form or an AI client in, with the rights of its role.":
    "Ein Schlüssel gibt einem Programm, einem Formular oder einem KI-Client Zugang, mit den Rechten seiner Rolle.",
  "Your new key": "Ihr neuer Schlüssel",
  "It is shown only now: keep it in a safe place.":
    "Er wird nur jetzt angezeigt: Bewahren Sie ihn sicher auf.",
  Key: "Schlüssel",
  "Revoke {name}?": "{name} widerrufen?",
  "Revoke {name}": "{name} widerrufen",
  Revoke: "Widerrufen",
  "{name} revoked": "{name} widerrufen",
  "Whatever uses it stops working at once, with the sessions it opened and the keys it made.":
    "Was ihn verwendet, funktioniert sofort nicht mehr, ebenso seine Sitzungen und die damit erstellten Schlüssel.",
  "AI client": "KI-Client",
  "Deleted segment": "Gelöschtes Segment",
  "{code} created {created_at}, {more}{more2}": "{code} erstellt {created_at}, {more}{more2}",
  "used {last_used_at}": "benutzt {last_used_at}",
  "never used": "nie benutzt",
  ", ends {expires_at}": ", endet {expires_at}",
  "What will use it, such as a form or a script.":
    "Was ihn verwenden wird, etwa ein Formular oder ein Skript.",
  "A key for a segment sees and writes its leads alone.":
    "Ein Schlüssel für ein Segment sieht und ändert nur dessen Leads.",
  "Ends on": "Endet am",
  "Never, when left empty.": "Leer: nie.",
  "Create key": "Schlüssel erstellen",
  "{browsers} signed in": "{browsers} angemeldet",
  "this browser": "dieser Browser",
  "{browserOf}, signed in {time}, used {last_used_at}, ends {expires_at}":
    "{browserOf}, angemeldet {time}, benutzt {last_used_at}, endet {expires_at}",
  "End the session of {name}": "Sitzung von {name} beenden",
  "The session has ended": "Die Sitzung ist beendet",
  End: "Beenden",
  "A session ends after 12 hours without use, after 30 days, and with the key or member that opened it.":
    "Eine Sitzung endet nach 12 Stunden ohne Benutzung, nach 30 Tagen und mit dem Schlüssel oder Mitglied, das sie geöffnet hat.",
  Invite: "Einladen",
  "Nobody else yet": "Noch niemand sonst",
  "Invite people by a link. They choose a passkey or a password, and what they change carries their name.":
    "Laden Sie Personen mit einem Link ein. Sie wählen einen Passkey oder ein Passwort, und ihre Änderungen tragen ihren Namen.",
  "An owner invites people by a link.": "Ein Inhaber lädt Personen mit einem Link ein.",
  "Viewers read. Editors also change leads. Owners also manage members and keys.":
    "Leser sehen alles, Bearbeiter ändern auch, Inhaber geben auch anderen Zugang.",
  "Invite a person": "Person einladen",
  "Shown next to their changes.": "Steht neben ihren Änderungen.",
  "Make the link": "Link erstellen",
  "Link for {name}": "Link für {name}",
  "Send it to them. It works once, for 7 days, and is shown only now.":
    "Senden Sie ihn der Person. Er gilt einmal, 7 Tage lang, und wird nur jetzt angezeigt.",
  "This link works on this machine only: the service does not listen on the network. Start it with {code}, or set {code2}.":
    "Dieser Link funktioniert nur auf diesem Rechner: Der Dienst ist nicht im Netzwerk erreichbar. Starten Sie ihn mit {code}, oder setzen Sie {code2}.",
  "Remove {name}?": "{name} entfernen?",
  "Remove {name}": "{name} entfernen",
  "{name} is no longer a member": "{name} ist kein Mitglied mehr",
  "They are signed out at once. What they changed stays, under their name.":
    "Die Person wird sofort abgemeldet. Was sie geändert hat, bleibt unter ihrem Namen.",
  "Role of {name}": "Rolle von {name}",
  "{name} is {role} now": "{name} ist jetzt {role}",
  "New link for {name}": "Neuer Link für {name}",
  "New link": "Neuer Link",
  "invited, the link ends {invite_expires_at}": "eingeladen, der Link endet {invite_expires_at}",
  "not invited": "nicht eingeladen",
  "joined {day}, {how}": "beigetreten {day}, {how}",
  password: "Passwort",
  provider: "Anbieter",
  "no way to sign in": "keine Anmeldung möglich",
  "On this network": "In diesem Netzwerk",
  "Only this machine reaches the service. To open it on phones and other machines, stop it and start it again in one of these ways:":
    "Nur dieser Rechner erreicht den Dienst. Um ihn auf Handys und anderen Rechnern zu öffnen, beenden Sie ihn und starten Sie ihn auf eine dieser Arten neu:",
  "Only this machine reaches the service": "Nur dieser Rechner erreicht den Dienst",
  "Listening on this network": "Der Dienst ist im Netzwerk erreichbar",
  "Phones and other machines of this network can open it.":
    "Handys und andere Rechner dieses Netzwerks können es öffnen.",
  "Only this machine reaches the service. Phones and other machines can reach it, too.":
    "Nur dieser Rechner erreicht den Dienst. Handys und andere Rechner können ihn auch erreichen.",
  "Stop listening on this network": "Im Netzwerk nicht mehr erreichbar sein",
  "Listen on this network": "Im Netzwerk erreichbar sein",
  "Stop listening on this network?": "Im Netzwerk nicht mehr erreichbar sein?",
  "Listen on this network?": "Im Netzwerk erreichbar sein?",
  "Stop listening": "Beenden",
  Listen: "Erreichbar machen",
  "People on other machines lose the connection at once.":
    "Personen an anderen Rechnern verlieren sofort die Verbindung.",
  "The service starts again, which takes a few seconds, and keeps the choice.":
    "Der Dienst startet neu, was einige Sekunden dauert, und behält die Wahl.",
  "Everybody in the network can then open the sign-in page. Only people and programs that you let in see leads.":
    "Alle im Netzwerk können dann die Anmeldeseite öffnen. Leads sehen nur Personen und Programme, die Sie zulassen.",
  "Point a phone's camera at this to open it there:":
    "Richten Sie die Kamera eines Telefons darauf, um es dort zu öffnen:",
  "QR code of {address}": "QR-Code von {address}",
  "Copy {address}": "{address} kopieren",
  "Without HTTPS people sign in there with a password: passkeys need HTTPS.":
    "Ohne HTTPS melden sich Personen dort mit Passwort an: Passkeys brauchen HTTPS.",
  "Viewer: sees everything, changes nothing": "Leser: sieht alles, ändert nichts",
  "Editor: works with leads, rules and webhooks": "Bearbeiter: arbeitet mit Leads, Regeln und Webhooks",
  "Owner: also keys, members and sessions": "Inhaber: auch Schlüssel, Mitglieder und Sitzungen",
  Statuses: "Status",
  "Names, order and colours on screens. The API keeps the five values.":
    "Namen, Reihenfolge und Farben in der Anzeige. Die API behält die fünf Werte.",
  "Statuses saved": "Status gespeichert",
  "Name of {value}": "Name von {value}",
  "Color of {value}": "Farbe von {value}",
  "Move {value} up": "{value} nach oben schieben",
  "Save statuses": "Status speichern",
} as const
