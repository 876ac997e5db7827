// The vocabulary of column headers and statuses. Everything here is data: a new word goes into the list of its role.
// Names have no spaces and punctuation.
import { CONTACTS, type ContactList } from "../../../lead/contacts.ts"
import { STATUSES, type Status } from "../../../lead/lead.ts"
import { LEAD_FIELD_NAMES, type LEAD_FIELDS, type LeadField, leadField } from "../../../lead/lead-fields.ts"
import type { Stage } from "../../../lead/stage.ts"

/** A program whose files are recognized by their columns. */
export interface Preset {
  /** Also the default source of its leads. */
  name: string
  /** Groups of column names between commas: a file with all of one group was written by this program. */
  signs: string
  /** Column names by role, nested values by their whole path. They take precedence over COLUMN_NAMES. */
  columns: Readonly<Partial<Record<ColumnRole, string>>>
  /** Columns that become attributes although their names sound like fields. */
  attributes?: string
}

/** Normalizes a name for comparison: lower case, without accents, spaces and punctuation. */
export function plainName(name: string): string {
  const cached = cache.get(name)
  if (cached !== undefined) return cached
  const plain = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
  if (cache.size < CACHE_MAX && name.length <= CACHED_LENGTH_MAX) cache.set(name, plain)
  return plain
}

const cache = new Map<string, string>()
const CACHE_MAX = 5_000
/** Longer names and statuses are rare, and a cell may have a million characters. */
const CACHED_LENGTH_MAX = 200

/** Splits a name into its words, each normalized: `Billing City`, `billing_city` and `billingCity` have two. */
export function nameWords(name: string): string[] {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{L})(\p{N})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .map(plainName)
    .filter((word) => word !== "")
}

type Fields = typeof LEAD_FIELDS
/** The fields that clients set: each is a role. */
type SettableField = {
  [F in keyof Fields]: Fields[F] extends { readOnly: true } ? never : F
}[keyof Fields]
const SETTABLE = LEAD_FIELD_NAMES.filter((name): name is SettableField => !leadField(name).readOnly)

/** Roles in the order in which they take a column whose name several claim; the other fields follow. */
const FIRST = [
  ...["name", "first_name", "middle_name", "last_name", "company", "job_title", "linkedin_url"],
  ...["email", "phone", "emails", "phones", "website", "address", "address_2", "house_number"],
  ...["city", "state", "country", "postal_code", "category", "description", "logo_url", "source_id"],
  ...["source", "stage", "status", "latitude", "longitude", "coordinates", "rating", "review_count", "tags"],
] as const

/** The role of a column: a lead field, or a part of one. */
export type ColumnRole = SettableField | (typeof FIRST)[number]
export const COLUMN_ROLES: readonly ColumnRole[] = [...new Set<ColumnRole>([...FIRST, ...SETTABLE])]

const FIELDS = new Map<ColumnRole, LeadField>(SETTABLE.map((name) => [name, leadField(name)]))
/** The role's entry in the table of lead fields; undefined for parts of fields. */
export const fieldOfRole = (role: ColumnRole): LeadField | undefined => FIELDS.get(role)

/** The list that a column's emails or phones belong to; undefined for any other role. */
export function listOfRole(role: ColumnRole): ContactList | undefined {
  return CONTACTS.find(([list, field]) => role === list || role === field)?.[0]
}

/**
 * Column names by role, in any file: the commonest in English, German, French, Spanish, Italian, Portuguese and Dutch, and
 * plain ones in Polish, Turkish, Hungarian, Czech, Russian, Arabic, Chinese, Japanese and Korean. A field that is not listed
 * has its own name and the synonyms of its entry in the table of fields.
 */
export const COLUMN_NAMES: Readonly<Partial<Record<ColumnRole, string>>> = {
  name: `name fullname displayname contactname leadname personname contactperson clientname customername contactfullname
    membername prospectname nameofcontact namecontact fileas
    vollstandigername vollername kompletername kontaktname ansprechpartner ansprechpartnerin ansprechperson kontaktperson
    kundenname vorundnachname vornamenachname namevorname
    nomcomplet nometprenom nomprenom prenometnom prenomnom nomducontact personnedecontact interlocuteur
    nombrecompleto nombreyapellidos nombreyapellido nombredecontacto nombredelcontacto personadecontacto
    nomecompleto nomeecognome cognomeenome nominativo personadicontatto nomecontatto
    nomedocontato nomecontato nomedocliente pessoadecontato
    volledigenaam contactpersoon naamcontactpersoon klantnaam contactnaam
    nom nombre nome naam contact person client customer prospect kontakt kunde interessent
    contacto cliente contatto contato referente responsavel
    nazwa imięinazwisko nazwiskoiimię osobakontaktowa adsoyad adısoyadı isim isimsoyisim yetkili yetkilikişi név teljesnév kapcsolattartó jménoapříjmení celéjméno kontaktníosoba 氏名 名前 お名前 担当者 担当者名 姓名 联系人 聯絡人 이름 성명 담당자 الاسم الاسمالكامل имя фио контактноелицо`,
  first_name: `firstname givenname forename fname fnamec1 first contactfirstname vorname rufname prenom prenomducontact
    primernombre nombredepila nombrepropio nomedibattesimo nomeproprio primeironome voornaam roepnaam imie jmeno keresztnev utonev 名
    ad adı 名字 الاسمالأول`,
  middle_name: `middlename middleinitial additionalname zweitername weiterevornamen zweitervorname deuxiemeprenom segundonombre
    secondonome nomedomeio tussenvoegsel tussenvoegsels middelstenaam`,
  last_name: `lastname surname familyname lname lnamec1 last contactlastname secondname nachname familienname zuname nomdefamille
    apellido apellidos primerapellido cognome sobrenome apelido ultimonome achternaam familienaam
    nazwisko prijmeni vezeteknev csaladnev 姓 氏 성
    soyad soyadı soyisim 苗字 اسمالعائلة اللقب фамилия`,
  company: `company companyname organization organisation organizationname organisationname business businessname employer
    account accountname firm firmname currentcompany workplace legalname
    firma firmenname firmierung unternehmen unternehmensname betrieb betriebsname arbeitgeber gesellschaft firmenbezeichnung firma1
    entreprise nomentreprise nomdelentreprise societe nomsociete nomdelasociete raisonsociale organisme etablissement enseigne
    empresa nombreempresa nombredelaempresa nombredeempresa compania razonsocial organizacion sociedad nombrecomercial negocio
    azienda nomeazienda ditta societa ragionesociale impresa organizzazione denominazione
    nomedaempresa nomeempresa razaosocial organizacao companhia nomefantasia
    bedrijf bedrijfsnaam organisatie organisatienaam onderneming firmanaam
    firmaadı nazwafirmy nazwaprzedsiębiorstwa şirket şirketadı işletme işletmeadı kurum ticariünvan cég cégnév vállalkozás názevfirmy společnost företag företagsnamn virksomhed bedrift 会社 会社名 企業名 法人名 店舗名 公司 公司名称 企业名称 회사 회사명 الشركة اسمالشركة компания организация`,
  job_title: `jobtitle position role designation occupation jobposition jobrole jobfunction headline function
    stellenbezeichnung funktion berufsbezeichnung positionimunternehmen beruf stelle jobbezeichnung jobtitel
    poste fonction titreduposte intituleduposte intituledeposte profession metier
    cargo puesto puestodetrabajo ocupacion profesion ruolo mansione posizione qualifica professione
    funcao profissao functie functietitel functienaam beroep
    stanowisko ünvan görev pozisyon beosztás pozice 役職 职位 직책 المسمىالوظيفي должность`,
  linkedin_url: `linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinlink personlinkedinurl personlinkedin
    linkedinpage linkedinprofil profillinkedin linkedinprofiel perfillinkedin perfildelinkedin profilolinkedin linkedincontactprofileurl profileurl companylinkedinurl companylinkedin`,
  emails: "allemails emaillist",
  phones: "allphones phonelist allphonenumbers",
  email: `email emailaddress mail workemail businessemail primaryemail contactemail emailid emails emailaddresses email1 mailaddress useremail
    emailadresse mailadresse emailadressen emailgeschaftlich elektronischepost
    adresseemail adressemail adresseelectronique courriel adressecourriel mel emailprofessionnel professionalemail
    correoelectronico correo direcciondecorreo direcciondecorreoelectronico direcciondeemail correoe
    indirizzoemail indirizzodipostaelettronica postaelettronica emailaziendale
    correioeletronico correioeletronico enderecodeemail enderecoeletronico emailadres emailadressenwerk
    eposta epostaadresi eposta1 adresemail pocztaelektroniczna emailcím emailováadresa epost メール メールアドレス 邮箱 电子邮件 电子邮箱 電子郵件 이메일 البريدالإلكتروني البريد электроннаяпочта почта`,
  phone: `phone phonenumber telephone telephonenumber tel workphone businessphone officephone mainphone primaryphone contactphone directphone contactnumber
    phone1 phonenumber1 telephone1 phones telno phoneno
    telefon telefonnummer telefonnr telnr telefon1 rufnummer festnetz festnetznummer telefongeschaftlich durchwahl
    numerodetelephone notelephone ntelephone telephonefixe telfixe fixe
    telefono numerodetelefono telefonofijo telefono1 telefonodecontacto numeroditelefono telefonofisso numeroditel
    telefone numerodetelefone telefonefixo telefoon telefoonnummer telefoonnr vastnummer
    mobile mobilephone mobilenumber mobilephonenumber mobileno cell cellphone cellnumber
    mobil mobiltelefon mobilnummer mobilnr mobilfunk handy handynummer handynr
    telephoneportable telephonemobile portable numeroportable telportable telefonomovil movil celular
    cellulare telefonocellulare telemovel telefonecelular mobiel mobielnummer mobieletelefoon gsm gsmnummer whatsapp
    rufnummern telefonnummern mobilnummern telefonos telefoni telefones numertelefonu nrtelefonu telefonkomórkowy komórka telefonnumarası telefonno ceptelefonu gsmno telefonszám mobilszám mobiltelefonszám mobilszam telefonníčíslo mobilnítelefon 電話 電話番号 携帯 携帯電話 携帯番号 电话 电话号码 手机 手机号 電話號碼 전화 전화번호 휴대폰 الهاتف رقمالهاتف الجوال رقمالجوال телефон мобильныйтелефон`,
  website: `website websiteurl web homepage site siteurl webpage webaddress websiteaddress url weburl companywebsite domain domainname companydomain
    companydomainname websiteuri websitelink link webseite internetseite internetadresse internet homepageurl firmenwebseite webadresse
    siteweb siteinternet adressesiteweb adresseweb lien sitioweb paginaweb web1 direccionweb sitoweb sitointernet sito paginainternet
    websitedaempresa sitedaempresa sitio pagina webadres websiteadres webpagina
    stronainternetowa stronawww websitesi internetsitesi weboldal honlap webovéstránky ホームページ ウェブサイト サイト 网站 网址 홈페이지 웹사이트 الموقع الموقعالإلكتروني сайт`,
  address: `address fulladdress streetaddress formattedaddress address1 addressline1 addressstreet mailingaddress postaladdress completeaddress
    businessaddress officeaddress street streetname street1 streetandnumber streetandhousenumber location
    adresse anschrift strasseundhausnummer strassehausnummer strassenr strassehnr strasse firmenadresse
    adressecomplete adressepostale adresse1 rue voie numeroetrue
    direccion direccioncompleta direccionpostal domicilio calle calleynumero
    indirizzo indirizzocompleto via viaenumero sede
    endereco enderecocompleto morada logradouro rua
    adres straat straatnaam straatenhuisnummer straathuisnummer volledigadres
    ulica ulicainumer adresszamieszkania adres1 açıkadres cím utca ulice 住所 所在地 地址 주소 العنوان адрес`,
  address_2: `address2 addressline2 street2 adresszusatz adresse2 complementadresse complementdadresse direccion2 indirizzo2
    complemento suite apartment unit`,
  house_number: `housenumber houseno streetnumber hausnummer hausnr hnr numeroderue numerocivico civico huisnummer huisnr`,
  city: `city town locality cityname citytown municipality village addresscity stadt ort wohnort ortschaft gemeinde standort
    ville commune localite ciudad poblacion localidad municipio citta comune localita cidade localidade stad plaats woonplaats plaatsnaam gemeente vestigingsplaats
    miasto miejscowość şehir il ilçe város település helység město obec 市区町村 市 城市 도시 المدينة город`,
  state: `state region province county stateprovince stateregion statename addressregion provincestate usstate statecode
    bundesland kanton departement provincia comunidadautonoma comunidad estadoprovincia regione estado distrito uf provincie
    województwo bölge megye 都道府県 省 省份 المنطقة регион область`,
  country: `country countryname countryregion nation addresscountry land staat pays pais paese nazione stato landnaam
    countrycode countryiso landercode landeskennzeichen codepays codigopais
    kraj ülke ország země 国 国名 国家 국가 البلد الدولة страна`,
  postal_code: `postalcode postcode zip zipcode zippostalcode postalzipcode pincode postal addresspostalcode addresszip
    plz postleitzahl codepostal cp codigopostal cap codicepostale codicediavviamentopostale cep codpostal codigodepostal
    kodpocztowy postakodu irányítószám psč 郵便番号 邮编 邮政编码 우편번호 الرمزالبريدي индекс`,
  category: `category industry categoryname maincategory primarycategory businesscategory businesstype primaryindustry sector niche
    branche branchenbezeichnung kategorie hauptkategorie sparte gewerbe wirtschaftszweig industrie
    secteur secteurdactivite categorie activite domainedactivite filiere
    categoria sector sectordeactividad industria rubro giro actividad settore settoreattivita attivita
    setor ramo ramodeatividade segmento atividade bedrijfstak bedrijfscategorie categories type types subtypes
    branża sektör kategori ágazat iparág obor 業種 行业 업종 القطاع отрасль`,
  description: `description about summary descriptions notes note comments comment remarks bio message businessdescription
    beschreibung kurzbeschreibung bemerkung bemerkungen notiz notizen kommentar kommentare anmerkung anmerkungen info
    remarque remarques commentaire commentaires descripcion notas comentarios comentario observaciones
    descrizione commenti osservazioni descricao observacoes comentarios
    omschrijving beschrijving opmerking opmerkingen notities notitie toelichting
    uwagi notatki notatka opis notlar açıklama megjegyzés megjegyzések leírás poznámka poznámky 備考 メモ 备注 비고 ملاحظات комментарий примечание`,
  logo_url: `logo logourl image imageurl thumbnail photo photourl picture pictureurl avatar avatarurl profileimage bild bildurl`,
  source_id: `placeid googleplaceid recordid externalid sourceid googleid cid dataid leadid contactid customerid clientid personid customernumber
    externalreference accountnumber customerno hsobjectid objectid uuid guid kundennummer kundennr kundenid kdnr debitorennummer debitorennr
    numeroclient numerodeclient idclient codeclient numerocliente numerodecliente idcliente codigocliente codigodecliente
    codicecliente numerodocliente codigodocliente klantnummer klantnr relatienummer id
    datensatzid iddefichedinformations idderegistro idregistro idrekordu kayitid rekordazonosito レコードid`,
  source: `source leadsource origin leadorigin sourceoflead originalsource acquisitionsource channel sourcechannel leadsourcechannel
    quelle leadquelle herkunft leadherkunft akquisekanal kanal source origine provenance sourceduprospect
    fuente origen procedencia fuentedelead fonte origine provenienza fontelead origem bron leadbron herkomst`,
  status: `status leadstatus stage leadstage pipelinestage dealstage contactstatus leadstate pipelinestatus salesstage
    leadphase phase estadodeposiblecliente leaddurumu statusleada リード状況 kontaktstatus kundenstatus vertriebsstatus bearbeitungsstatus statut statutduprospect statutdulead etape etat
    estado estadodelead etapa fase stato statolead situacao statusdolead leadstatusnaam`,
  stage: `stage leadstage pipelinestage dealstage salesstage contactstage leadphase phase vertriebsphase etape etapa fase`,
  latitude: `latitude lat breitengrad geobreite breite geolat latitud latitudine breedtegraad gpslat ycoordinate geolatitude`,
  longitude: `longitude lng lon long longtitude langengrad geolange lange geolng geolon longitud longitudine lengtegraad gpslng gpslon gpslong xcoordinate geolongitude`,
  coordinates: `coordinates latlng latlong latlon latitudelongitude gps gpscoordinates geo geolocation geocoordinates geopoint coords
    koordinaten gpskoordinaten coordonnees coordonneesgps coordenadas coordinate coordinaten location`,
  rating: `rating averagerating avgrating stars starrating googlerating ratingvalue reviewrating reviewscore totalscore overallrating
    bewertung durchschnittsbewertung sternebewertung sterne googlebewertung notemoyenne notegoogle evaluation etoiles note
    calificacion valoracion valoracionmedia puntuacion estrellas valutazione valutazionemedia punteggio stelle
    avaliacao avaliacaomedia classificacao nota estrelas beoordeling gemiddeldebeoordeling waardering sterren`,
  review_count: `reviewcount reviewscount numberofreviews reviews totalreviews noofreviews ratingcount ratingscount numberofratings
    userratingcount userratingstotal reviewsnumber ratings anzahlbewertungen anzahlderbewertungen bewertungsanzahl bewertungen rezensionen anzahlrezensionen
    nombredavis nbavis nbredavis avis nombreavis numerodeavis resenas numeroderesenas numeroresenas opiniones numerodeopiniones valoraciones
    recensioni numerorecensioni numerodirecensioni avaliacoes numerodeavaliacoes
    aantalbeoordelingen beoordelingen aantalreviews recensies aantalrecensies`,
  tags: `tags tag labels label keywords groups lists segments segment taglist schlagworte schlagworter stichworte stichworter etiketten
    etikett markierungen gruppen etiquettes etiquette motscles etiquetas etiqueta palabrasclave etichette etichetta parolechiave
    marcadores palavraschave trefwoorden labelsentags`,
}

/** Names in scripts that write the family name first. */
export const FAMILY_FIRST_SCRIPTS =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u

/** Names of family names in languages that write them before the given name. */
export const FAMILY_FIRST: ReadonlySet<string> = new Set(
  "vezeteknev csaladnev 姓 苗字 氏 성".split(" ").map(plainName),
)

/** Decorating words that do not change the role, as in "Billing City" or "Telefon geschäftlich". */
export const DECORATION = `international national primary main work business office company corporate contact lead person customer client billing mailing postal account
  organization organisation member physical headquarters hq default value address info details the of 1 work1 firmen firma kunde kunden
  kontakt geschaftlich dienstlich haupt haupt1 professionnel professionnelle pro principal principale entreprise empresa trabajo
  cliente contacto aziendale azienda lavoro zakelijk bedrijf klant comercial da do de du des della del di properties attributes
  fields data location geo public your my standard rechnung lead1 prospect buro bureau oficina ufficio kantoor biuro iroda ofis`

/** Decorating words of a secondary value, as in "Other Phone": such a column is a fallback. */
export const SECONDARY = `secondaire secondario secondaria secundario secundaria secundair secundaire deuxieme segundo segunda secondo seconda tweede drugi kolejny andra masodlagos ikinci
  zweite zweites zweiter dritte drittes andere anderes alternativ alternatif alternativo alternativa altra outra autres otros outros supplementaire adicional aggiuntivo aggiuntiva additional further extra tertiary fourth weiterer zusatzlich zusatzliche home private privat personal personnel shipping delivery other secondary alternate alternative 2 3 4 5 second third
  mobile mobil sekundar weitere lieferung versand autre domicile perso particular otro casa altro prive overig thuis outro`

/** Names that resemble a role without having it. */
export const MISLEADING = `username userid nickname productname campaignname listname eventname formname filename ownername domainnames
  emailstatus emailtype phonetype companyid accountid companytype contacttype leadtype customertype phonecountry countrycallingcode
  lastnamephonetic firstnamephonetic companyowner salutation anrede titel`

/** Words of other programs and languages for each status. */
export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  new: `new open neu offen nouveau nouvelle ouvert nuevo nueva abierto nuovo nuova aperto novo nova aberto nieuw newlead opennotcontacted
    notcontacted notyetcontacted uncontacted fresh unassigned nichtkontaktiert unkontaktiert nochnichtkontaktiert neuerlead noncontacte
    acontacter nocontactado sincontactar noncontattato dacontattare naocontatado nietgecontacteerd cold neukontakt`,
  contacted: `contacted attemptingtocontact attemptedtocontact attempttocontact contactattempted attempted connected working workingcontacted inprogress
    inprocess followup followingup followedup approaching replied engaged nurture nurturing unresponsive contactinfuture called emailed incontact
    kontaktiert kontaktversucht inbearbeitung bearbeitung angerufen angeschrieben nachfassen inkontakt wiedervorlage kontaktaufgenommen
    contacte encours enrelance relance contactado encontacto enproceso enseguimiento contattato incontatto incorso inlavorazione
    contatado contactada emcontacto emcontato emandamento gecontacteerd inbehandeling benaderd bezig incontactmetklant`,
  qualified: `qualified prequalified salesqualified marketingqualified salesqualifiedlead marketingqualifiedlead sql mql opendeal opportunity interested
    meetingscheduled demoscheduled proposalsent negotiation qualifiziert vorqualifiziert interessiert angebot angebotgesendet verhandlung
    terminvereinbart qualifie interesse calificado cualificado interesado qualificato interessato qualificado interessado
    gekwalificeerd geinteresseerd`,
  disqualified: `disqualified unqualified notqualified junk junklead lost lostlead closedlost closednotconverted dead rejected notinterested donotcontact
    baddata badfit notafit invalid spam disqualifiziert unqualifiziert nichtqualifiziert ungeeignet verloren abgelehnt keininteresse
    keinbedarf nichtinteressiert disqualifie nonqualifie perdu pasinteresse rejete nocalificado nocualificado descalificado perdido descartado
    nointeresado nonqualificato squalificato perso noninteressato scartato desqualificado naoqualificado perdida naointeressado
    gediskwalificeerd nietgekwalificeerd ongeschikt nietgeinteresseerd afgewezen`,
  converted: `converted customer won closedwon closedconverted client existingcustomer konvertiert umgewandelt kunde gewonnen abgeschlossen bestandskunde
    converti gagne clientactif ganado convertido vinto convertito acquisito clienteattivo cliente ganho convertida
    geconverteerd klant gewonnenklant`,
}

/** The stage of the account that a text names. */
export type StageOf = (text: string) => Stage | undefined

/** The status that a text stands for. */
export type StatusOf = (text: string) => Status | undefined

const BY_WORD = new Map<string, Status>(
  STATUSES.flatMap((status) =>
    STATUS_WORDS[status]
      .split(/\s+/)
      .filter((word) => word !== "")
      .map((word): [string, Status] => [word, status]),
  ),
)

/** Returns the status of a text; the mapping's words take precedence. */
export function statusParser(said: ReadonlyMap<string, Status>): StatusOf {
  return (text) => {
    const plain = plainName(text)
    return said.get(plain) ?? BY_WORD.get(plain)
  }
}
