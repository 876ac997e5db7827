// German for the English sentences of the service about requests, files and deliveries. `{field}` is the name of a field.
export const SAID = {
  // Files.
  "name is required: no column of the row has one, nor a company, a website, an email or a phone":
    "Name fehlt: Keine Spalte der Zeile hat einen, auch keine Firma, Website, E-Mail oder Telefonnummer",
  "No name; using the {field} {value}": "Kein Name; stattdessen {field} {value}",
  "the row has {cells} cells, the header names {columns} columns":
    "die Zeile hat {cells} Zellen, die Kopfzeile {columns} Spalten",
  "the row has {cells} cell, the header names {columns} columns":
    "die Zeile hat {cells} Zelle, die Kopfzeile nennt {columns} Spalten",
  '"{title}" is the title of a group, no lead': "„{title}“ ist der Titel einer Gruppe, kein Lead",
  '"{title}" is a subitem, no lead': "„{title}“ ist ein Unterelement, kein Lead",
  "the names of the columns stand there once more: no lead":
    "dort stehen die Spaltennamen noch einmal: kein Lead",
  '"{text}" below the table is no row: left out': "„{text}“ unter der Tabelle ist keine Zeile: weggelassen",
  "the row has a quote in cell {cell} that is never closed: read without it":
    "die Zeile hat in Zelle {cell} ein Anführungszeichen, das nie geschlossen wird: ohne es gelesen",
  'the file is not UTF-8: read as {encoding}, such as "{example}"; encoding says otherwise':
    "die Datei ist nicht UTF-8: gelesen als {encoding}, wie „{example}“",
  "no value for the required {name}": "kein Wert für das Pflichtfeld {name}",
  '{field} "{value}" belongs to another lead than the one that the row repeats: left out':
    "{field} „{value}“ gehört einem anderen Lead als dem, den die Zeile wiederholt: weggelassen",
  '{column} "{value}" is too long: cut': "{column} „{value}“ ist zu lang: gekürzt",
  "no row is in the United States": "keine Zeile ist aus den USA",
  "It got a note since: left alone without force": "seither kam eine Notiz dazu",
  "It was erased: nothing of it is kept that could be put back": "getilgt: nichts davon ist noch da",
  "Its changes are no longer kept": "seine Änderungen werden nicht mehr aufbewahrt",
  "It was changed since the merge and stays as it is": "Seit dem Zusammenführen geändert: bleibt, wie er ist",
  "Another lead has it by now": "Ein anderer Lead hat ihn inzwischen",
  "only its values look like it: no lead is merged by it":
    "nur die Werte sehen danach aus: Kein Lead wird danach zusammengeführt",
  "only its values look like it": "nur die Werte sehen danach aus",
  "nothing in the file decides": "nichts in der Datei entscheidet es",
  "most rows are in the United States": "die meisten Zeilen sind aus den USA",
  "all of them have three digits behind it": "alle haben drei Ziffern dahinter",
  'the dates of "{column}" show it': "die Daten von „{column}“ zeigen es",
  "dates with the day first": "Daten mit dem Tag zuerst",
  "dates with the month first": "Daten mit dem Monat zuerst",
  "dates with the year first": "Daten mit dem Jahr zuerst",
  "numbers with a dot between thousands": "Zahlen mit Punkt zwischen den Tausendern",
  "numbers with a dot before a fraction": "Zahlen mit Punkt vor den Nachkommastellen",
  // Deliveries of webhooks.
  "connection refused": "Verbindung abgelehnt",
  "connection reset": "Verbindung unterbrochen",
  "host unreachable": "Rechner nicht erreichbar",
  "network unreachable": "Netzwerk nicht erreichbar",
  "host not found": "Rechner nicht gefunden",
  "host lookup failed ({code})": "Rechner nicht gefunden ({code})",
  "timed out while connecting": "keine Verbindung innerhalb der Zeit",
  "timed out after {seconds} s": "keine Antwort in {seconds} s",
  "answered {code}, then {message}": "Antwort {code}, dann {message}",
  "answered {code}": "Antwort {code}",
  "TLS certificate expired": "TLS-Zertifikat abgelaufen",
  "TLS certificate is for another host": "TLS-Zertifikat gilt für einen anderen Rechner",
  "TLS certificate not trusted ({code})": "TLS-Zertifikat nicht vertrauenswürdig ({code})",
  "address {address} is {kind} and not allowed": "Adresse {address} ist nicht erlaubt",
  "address {address} {rest} is never allowed": "Adresse {address} ist nie erlaubt",
  "port {port} of {address} is this service's own and never allowed":
    "Port {port} von {address} gehört diesem Dienst selbst und ist nie erlaubt",
  "the endpoint answered 410 Gone": "die Adresse hat mit 410 (gibt es nicht mehr) geantwortet",
  "every delivery failed for 5 days": "5 Tage lang kam keine Zustellung an",
  "url is not allowed: {message}": "Diese Adresse ist nicht erlaubt: {message}",
  "This delivery is being sent already: look at its outcome first": "Diese Zustellung läuft bereits",
  "This webhook is turned off: turn it on first, with PUT /webhooks/{id} and active: true":
    "Dieser Webhook ist ausgeschaltet: Schalten Sie ihn zuerst ein",
  // Signing in.
  "Name or password is wrong. An owner can send a new invitation":
    "Name oder Passwort ist falsch. Ein Inhaber kann eine neue Einladung senden",
  "This code is wrong, used or older than 10 minutes: leaddb open prints a new one":
    "Dieser Code ist falsch, benutzt oder älter als 10 Minuten: leaddb open zeigt einen neuen",
  "This invitation was used, is older than 7 days, or was taken back":
    "Diese Einladung wurde benutzt, ist älter als 7 Tage oder wurde zurückgezogen",
  "This passkey is not known here: ask an owner for a new invitation":
    "Dieser Passkey ist hier unbekannt: Bitten Sie einen Inhaber um eine neue Einladung",
  "Passkeys work only on HTTPS and on names such as leaddb.localhost: use a password here":
    "Passkeys gehen nur mit HTTPS und Namen wie leaddb.localhost: Verwenden Sie hier ein Passwort",
  "This is not a leaddb API key: {rest}":
    "Das ist kein API-Schlüssel von leaddb: Kopieren Sie ihn ganz, er beginnt mit ldb_",
  "Unknown API key: it was revoked or belongs to another database":
    "Unbekannter API-Schlüssel: Er wurde widerrufen oder gehört zu einer anderen Datenbank",
  "This API key has expired: create a new one":
    "Dieser API-Schlüssel ist abgelaufen: Erstellen Sie einen neuen",
  "{what}: sign in again, or send an API key in the X-API-Key header":
    "Die Sitzung ist beendet: Melden Sie sich neu an",
  "passkey does not hold: {rest}": "Der Passkey wurde nicht angenommen",
  "Too many wrong tries; try again in {seconds} s":
    "Zu viele falsche Versuche; versuchen Sie es in {seconds} s erneut",
  "{what}; try again in {seconds} s": "Zu viele Anfragen; versuchen Sie es in {seconds} s erneut",
  "viewer role cannot modify data": "Leser können nichts ändern",
  "only the workspace owner can perform this action": "Das können nur Inhaber",
  // Leads.
  "{what} not found": "Das gibt es nicht oder nicht mehr",
  "Lead not found: it was merged into {id}": "Der Lead wurde mit einem anderen zusammengeführt",
  "Duplicate {field}: another lead of this account has this {again}. {rest}":
    "{field} gehört schon einem anderen Lead",
  'Duplicate name: there is a stage "{name}" already': "Die Stufe „{name}“ gibt es schon",
  'Duplicate name: there is an attribute "{name}" already; {rest}': "Das Attribut „{name}“ gibt es schon",
  'Duplicate name: this lead already has an attribute "{name}"; change its value with PUT':
    "Der Lead hat das Attribut „{name}“ schon",
  "Duplicate {field}": "{field} gehört schon einem anderen Lead",
  "A lead keeps at most {most} tags": "Ein Lead hat höchstens {most} Tags",
  "The {plan} plan keeps at most {most} leads and all are used; {rest}":
    "Der Tarif {plan} hat höchstens {most} Leads, und alle sind vergeben: Löschen Sie Leads oder wechseln Sie den Tarif",
  "The {plan} plan keeps at most {most} MB and all are used; {rest}":
    "Der Tarif {plan} speichert höchstens {most} MB, und alle sind belegt: Löschen Sie Leads oder Notizen oder wechseln Sie den Tarif",
  "expect says {expected}, and {rest}":
    "Inzwischen sind es andere als die {expected} von vorhin: Nichts wurde geändert",
  "The leads of this pair were merged: {rest}": "Die Leads dieses Paars wurden zusammengeführt",
  "The lead {id} has no email to unsubscribe": "Der Lead hat keine E-Mail zum Abmelden",
  "This person was erased and must not be stored again{rest}":
    "Diese Person wurde getilgt und darf nicht wieder gespeichert werden",
  '{where}: there is no member "{name}": {rest}': "Es gibt kein Mitglied „{name}“",
  'q "{text}" has no word to look for: {rest}': "„{text}“ hat kein Wort zum Suchen",
  'attribute "{name}" is required: send it in attributes with a value': "Das Attribut „{name}“ ist Pflicht",
  'attribute "{name}" {message}': "Attribut „{name}“: {message}",
  "This merge has been taken back already": "Das wurde bereits zurückgenommen",
  "The import was undone already; force=true puts back what was left alone then":
    "Der Import wurde bereits zurückgenommen",
  "The import is still running: wait for its end, or stop its job, first":
    "Der Import läuft noch: Warten Sie, bis er fertig ist",
  'There is a mapping "{name}" already: change it with PUT': "Die Zuordnung „{name}“ gibt es schon",
  "{count} imports are under way already: wait for one to end":
    "Es laufen schon {count} Importe: Warten Sie, bis einer fertig ist",
  "The body is larger than {most} MiB; send fewer leads at a time":
    "Das ist mehr als {most} MiB auf einmal: Nehmen Sie weniger Leads",
  "the file is empty: it must be a JSON array of leads": "die Datei ist leer",
  "the sheet is empty: its first row must name the columns":
    "das Blatt ist leer: Die erste Zeile muss die Spalten nennen",
  "the workbook has no sheet with cells": "die Arbeitsmappe hat kein Blatt mit Zellen",
  "the file is damaged or cut off": "die Datei ist beschädigt oder unvollständig",
  "the file is encrypted: save it without a password":
    "die Datei ist verschlüsselt: Speichern Sie sie ohne Passwort",
  "no column is the lead's name: say which one, such as {rest}":
    "keine Spalte ist der Name des Leads: Wählen Sie, welche es ist",
  // Settings.
  'There is a member called "{name}" already: names tell people apart': "Ein Mitglied heißt schon „{name}“",
  "An account keeps at most {most} {kept} and all are used; {rest}":
    "Mehr als {most} davon gehen nicht: Löschen oder ändern Sie zuerst etwas",
  "An account has at most {most} {kept}: delete one first":
    "Mehr als {most} gehen nicht: Löschen Sie zuerst etwas",
  "The settings of the service decide where it listens: {rest}":
    "Das legen die Einstellungen des Dienstes fest: LEADDB_HOST oder LEADDB_LAN",
  "The secret of this webhook cannot be read: {rest}":
    "Das Geheimnis dieses Webhooks ist nicht lesbar: Setzen Sie ein neues",
  "{field} must not hold a user name or password{rest}": "{field} darf kein Passwort enthalten",
  "{field} must name at least one {rest}": "{field} braucht mindestens einen Eintrag",
  "{field} must be an origin such as {rest}": "{field} muss aussehen wie https://www.example.com",
  "This is the last owner key, or has issued all others: create another owner key before revoking it":
    "Das ist der letzte Schlüssel eines Inhabers: Erstellen Sie zuerst einen anderen",
  "The member made the account's last owner key: create another one first, or remove the member with keep_keys=true":
    "Von diesem Mitglied ist der letzte Schlüssel eines Inhabers: Erstellen Sie zuerst einen anderen",
  "expires_at must be in the future{rest}": "Das Ende muss in der Zukunft liegen",
  'value "{value}" is no email, domain, phone or hash: give its kind':
    "„{value}“ ist keine E-Mail, Domain oder Telefonnummer",
  'value "{value}" must be {form}, as its kind is {kind}': "„{value}“ passt nicht zur gewählten Art",
  "fields must hold one of {fields}, by which a lead is known":
    "Das Formular braucht eines dieser Felder: {fields}",
  "fields must hold email, as double_opt_in has the address confirmed":
    "Das Formular braucht die E-Mail, damit sie bestätigt werden kann",
  "{where} has {place}, which is no field of a lead.{rest}": "{place} ist kein Feld eines Leads",
  // Formulas of rules.
  "expression: {message}": "Formel: {message}",
  "the expression is empty": "die Formel ist leer",
  "expected a value after {sign} at {position}, got {found}":
    "nach {sign} wird an Stelle {position} ein Wert erwartet, nicht {found}",
  "expected a value after {sign} at {position}": "nach {sign} wird an Stelle {position} ein Wert erwartet",
  "expected a value at {position}": "an Stelle {position} wird ein Wert erwartet",
  "expected an operator before {sign} at {position}": "vor {sign} fehlt an Stelle {position} ein Operator",
  'unknown field "{name}" at {position}; did you mean {near}?':
    "unbekanntes Feld „{name}“ an Stelle {position}; meinten Sie {near}?",
  'unknown field "{name}" at {position}; write {attribute} for a custom attribute':
    "unbekanntes Feld „{name}“ an Stelle {position}; ein Attribut schreiben Sie als {attribute}",
  'unknown function "{name}" at {position}; {rest}': "unbekannte Funktion „{name}“ an Stelle {position}",
  "unexpected {sign} at {position}{rest}": "unerwartetes {sign} an Stelle {position}",
  "no closing {sign} for the text that starts at {position}":
    "dem Text, der an Stelle {position} beginnt, fehlt am Ende {sign}",
  // Errors of fields.
  "{field} is required": "{field} fehlt",
  "{field} cannot be cleared": "{field} darf nicht leer sein",
  "{field} must not be empty": "{field} darf nicht leer sein",
  "{field} must look like {example}": "{field} muss aussehen wie {example}",
  "{field} must be at most {most} characters{rest}": "{field} hat höchstens {most} Zeichen",
  "{field} must have at most {most} characters{rest}": "{field} hat höchstens {most} Zeichen",
  "{field} must have at least {least} characters": "{field} braucht mindestens {least} Zeichen",
  "{field} is too long": "{field} ist zu lang",
  "{field} must be a whole number from {low} to {high}":
    "{field} muss eine ganze Zahl von {low} bis {high} sein",
  "{field} must be a whole number{rest}": "{field} muss eine ganze Zahl sein",
  "{field} must be a number{rest}": "{field} muss eine Zahl sein",
  "{field} must be a finite number": "{field} muss eine Zahl sein",
  "{field} must be from {low} to {high}": "{field} muss von {low} bis {high} sein",
  "{field} must be true or false{rest}": "{field} muss Ja oder Nein sein",
  "{field} must be one of {options}": "{field} muss eines davon sein: {options}",
  "{field} must be an ISO date such as {rest}": "{field} muss ein Datum sein",
  "{field} must be an http or https address such as {example}":
    "{field} muss eine http- oder https-Adresse sein wie {example}",
  "{field} must hold at most {most} {what}": "{field} hat höchstens {most} Einträge",
  "{field} must hold at least {rest}": "{field} braucht mindestens einen Eintrag",
  "must be a number{rest}": "muss eine Zahl sein",
  "must be true or false{rest}": "muss Ja oder Nein sein",
  "must be one of {options}": "muss eines davon sein: {options}",
  "must be an ISO date such as {rest}": "muss ein Datum sein",
  // Any other refusal, by its code: what is wrong in the words of the API.
  "bad_request: {rest}": "Die Eingabe passt nicht: {rest}",
  "conflict: {rest}": "Das geht gerade nicht: {rest}",
  "forbidden: {rest}": "Das dürfen Sie nicht: {rest}",
  "unauthorized: {rest}": "Die Anmeldung gilt nicht: {rest}",
  "not_found: {rest}": "Das gibt es nicht oder nicht mehr",
  "precondition_failed: {rest}": "Der Lead wurde inzwischen geändert: Laden Sie ihn neu",
  "cursor_expired: {rest}": "Die Liste hat sich geändert: Laden Sie die Seite neu",
  "too_many_groups: {rest}": "Das sind zu viele Gruppen: Filtern Sie enger",
  "file_too_costly: {rest}":
    "Diese Datei ist zu aufwendig zu lesen: Speichern Sie sie als CSV oder teilen Sie sie",
  "rate_limit_exceeded: {rest}": "Zu viele Anfragen: Versuchen Sie es gleich noch einmal",
  "leads_limit_reached: {rest}": "Der Tarif hat keinen Platz für weitere Leads",
  "storage_limit_reached: {rest}": "Der Speicher des Tarifs ist voll",
  "storage_full: {rest}": "Die Platte des Dienstes ist voll: Nichts wurde gespeichert",
  "unavailable: {rest}": "Der Dienst ist gerade nicht bereit: Versuchen Sie es gleich noch einmal",
  "outcome_unknown: {rest}":
    "Ob es gespeichert wurde, ist ungewiss: Sehen Sie nach, bevor Sie es noch einmal tun",
  "internal_error: {rest}": "Im Dienst ist ein Fehler aufgetreten: Nichts wurde geändert",
} as const
