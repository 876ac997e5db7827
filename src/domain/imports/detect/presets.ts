// What the columns of other people's files are called. Everything here is data: a new program is a new entry in
// PRESETS, a new word goes into WORDS. Names are written as `plainName` leaves them: lower case without accents, spaces
// and punctuation. Of several names for one thing the first that a file has is taken, the next where that is empty.
import type { Status } from "../../../core/lead.ts"

/** What a column can be: a lead field, or a part of one. */
export const ROLES = [
  ...["name", "first_name", "middle_name", "last_name", "company", "job_title", "linkedin_url"],
  ...["email", "phone", "website", "address", "address_2", "house_number", "city", "state", "country"],
  ...["postal_code", "category", "description", "logo_url", "source_id", "source", "status"],
  ...["latitude", "longitude", "coordinates", "rating", "review_count", "tags"],
] as const
export type Role = (typeof ROLES)[number]

type Words = Readonly<Partial<Record<Role, string>>>

export interface Preset {
  /** Also the source of leads that name none. */
  name: string
  /** A file that has all columns of one of these lines is of this kind. */
  signs: readonly string[]
  /** Columns by what they are; of a nested value by its whole path. They win over WORDS. */
  columns: Words
  /** Columns that are no field here, whatever they are called: they become attributes. */
  attributes?: string
  /** Statuses by the words that stand for them here; they win over STATUS_WORDS. */
  statuses?: Readonly<Record<string, Status>>
  /** Columns whose texts, one after the other, are the address. */
  address?: string
}

/** The first whose signs a file has is taken. */
export const PRESETS: readonly Preset[] = [
  {
    name: "google_maps",
    signs: [
      ...[
        "placeid",
        "googleplaceid",
        "googleid",
        "dataid title",
        "dataid name",
        "datacid",
        "cid title",
        "cid name",
      ],
      ...[
        "totalscore",
        "reviewrating",
        "reviewsperrating",
        "reviewsperscore",
        "userratingcount",
        "userratingstotal",
      ],
      ...[
        "gpscoordinates",
        "googlemapsurl",
        "googlemapsuri",
        "googlemapslink",
        "liengooglemaps",
        "googlemaps rating",
      ],
      ...["pluscode", "populartimes"],
    ],
    columns: {
      name: "title name displaynametext displayname businessname placename nom nombre",
      address:
        "address fulladdress formattedaddress addressformatted completeaddress addressfull adresse street completeaddressstreet detailedaddressstreet",
      city: "city completeaddresscity detailedaddresscity addressobjectcity addressinfocity locationcity ville",
      state: "state completeaddressstate detailedaddressstate addressinforegion usstate region",
      country:
        "country completeaddresscountry detailedaddresscountry countrycode detailedaddresscountrycode addressinfocountrycode",
      postal_code:
        "postalcode completeaddresspostalcode detailedaddresspostalcode addressinfozip zip zipcode codepostal",
      website: "website site websiteuri websiteurl websiteoriginal domain siteweb url",
      phone:
        "phone phonenumber internationalphonenumber nationalphonenumber formattedphonenumber phoneunformatted phoneinternational phones telephone phone1",
      email: "email emails email1 contactemail emailaddress",
      category:
        "categoryname maincategory category primarytypedisplaynametext primarycategory categories type types subtypes primarytype",
      rating:
        "totalscore reviewrating rating averagerating avgrating ratingvalue stars googlerating reviewsaverage score reviewsrating",
      review_count:
        "reviewscount reviewcount userratingcount userratingstotal reviews numberofreviews ratingcount totalreviews reviewscnt ratingvotescount",
      latitude:
        "latitude lat locationlat locationlatitude gpscoordinateslatitude coordinateslatitude geometrylocationlat coordinateslat",
      longitude:
        "longitude longtitude lng lon locationlng locationlongitude gpscoordinateslongitude coordinateslongitude geometrylocationlng coordinateslng",
      coordinates: "coordinates gpscoordinates latlng latlong location",
      source_id: "placeid googleplaceid cid googleid dataid datacid fid hexid kgmid placeresourcename",
      description: "description descriptions editorialsummarytext editorialsummary about snippet",
      logo_url: "logo thumbnail imageurl featuredimage mainimage photo image mainphoto",
      linkedin_url: "linkedin linkedinurl companylinkedin linkedins",
    },
    attributes:
      "status businessstatus owner ownername ownertitle ownerid query searchstring inputid source link subtitle menu",
  },
  {
    name: "zoho",
    signs: [
      ...["recordid leadowner", "recordid leadownerid", "recordid contactownerid", "recordid accountownerid"],
      ...[
        "leadowner skypeid",
        "leadowner emailoptout",
        "leadowner noofemployees secondaryemail",
        "zohorecordid",
      ],
    ],
    columns: {
      source_id: "recordid leadid contactid zohorecordid id",
      first_name: "firstname",
      last_name: "lastname",
      name: "fullname leadname contactname",
      company: "company accountname",
      job_title: "title designation",
      email: "email secondaryemail",
      phone: "phone mobile otherphone",
      source: "leadsource",
      status: "leadstatus",
      category: "industry",
      tags: "tag tags",
      address: "street mailingstreet",
      postal_code: "zipcode mailingzip",
    },
    attributes: "rating",
  },
  {
    name: "apollo",
    signs: [
      ...[
        "apollocontactid",
        "apolloaccountid",
        "personlinkedinurl",
        "companynameforemails",
        "emailstatus seniority",
      ],
      ...["workdirectphone corporatephone"],
    ],
    columns: {
      first_name: "firstname",
      last_name: "lastname",
      name: "name fullname",
      company: "company companyname organizationname accountname",
      job_title: "title",
      email: "email secondaryemail tertiaryemail",
      phone: "firstphone workdirectphone mobilephone corporatephone companyphone otherphone homephone",
      linkedin_url: "personlinkedinurl linkedinurl contactlinkedinurl companylinkedinurl",
      website: "website companywebsite",
      category: "industry",
      city: "city companycity",
      state: "state companystate",
      country: "country companycountry",
      address: "companyaddress companystreet",
      postal_code: "companypostalcode postalcode",
      source_id: "apollocontactid contactid id apolloaccountid",
      status: "stage contactstage",
      tags: "lists",
      description: "seodescription shortdescription",
    },
    attributes: "keywords primaryemailsource departments source",
  },
  {
    name: "pipedrive",
    signs: [
      ...[
        "leadtitle",
        "personname organizationname",
        "personemailwork",
        "personname personemail",
        "dealtitle",
      ],
      ...["contactperson leadcreated", "contactperson organization title", "personemail organizationname"],
      ...["leadid leadlabels", "leadlabels", "personphonework", "organizationpipedrivesystemid"],
    ],
    columns: {
      name: "personname contactperson personcontactperson leadcontactperson leadpersonname",
      first_name: "personfirstname",
      last_name: "personlastname",
      company: "organizationname organization leadorganization personorganization leadorganizationname",
      email: "personemailwork personemail email emailwork personemailhome personemailother leademail",
      phone:
        "personphonework personphonemobile personphone phone phonework personphonehome personphoneother leadphone",
      source: "leadsource leadsourcechannel source sourcechannel leadsourceorigin",
      status: "leadstatus status dealstatus",
      tags: "leadlabels labels label personlabels personlabel leadlabel",
      address: "organizationaddress personpostaladdress address organizationaddressfullcombinedaddress",
      city: "organizationcity organizationcitytownvillagelocalityoforganizationaddress organizationcitytownvillagelocality",
      country: "organizationcountry organizationcountryoforganizationaddress",
      postal_code: "organizationzippostalcode organizationzippostalcodeofaddress",
      website: "organizationwebsite website",
      job_title: "personjobtitle jobtitle",
      source_id: "leadid leadpipedrivesystemid personid personpipedrivesystemid dealid id",
      description: "leadnote note notes leadnotes leaddescription",
      linkedin_url: "personlinkedin organizationlinkedin personlinkedinprofile",
      category: "organizationindustry industry",
    },
    attributes: "title leadtitle dealtitle leadsourceid leadsourcechannelid leadowner leadcreator",
  },
  {
    name: "salesforce",
    signs: [
      ...[
        "companyaccount",
        "leadid leadowner",
        "leadid leadsource",
        "isdeleted leadsource",
        "createdbyid lastname",
      ],
      ...[
        "masterrecordid",
        "stateprovince zippostalcode",
        "leadsource leadstatus leadowner",
        "isconverted company",
      ],
      ...["accountid mailingcity", "leadsource leadstatus company", "contactid accountname mailingcity"],
    ],
    columns: {
      source_id: "leadid contactid id casesafeid accountid",
      first_name: "firstname",
      last_name: "lastname",
      name: "name fullname leadname contactname",
      company: "companyaccount company accountname",
      job_title: "title",
      phone: "phone mobilephone mobile homephone otherphone",
      source: "leadsource",
      status: "leadstatus status",
      category: "industry",
      address: "street addressline1 mailingstreet billingstreet mailingaddressline1 address",
      city: "city mailingcity billingcity",
      state: "stateprovince state mailingstateprovince mailingstate billingstateprovince billingstate",
      country: "country mailingcountry billingcountry countrycode",
      postal_code:
        "zippostalcode postalcode mailingzippostalcode mailingpostalcode billingzippostalcode billingpostalcode",
      logo_url: "photourl",
    },
    attributes: "rating type",
  },
  {
    name: "linkedin",
    signs: ["connectedon"],
    columns: {
      first_name: "firstname",
      last_name: "lastname",
      linkedin_url: "url profileurl linkedinurl",
      email: "emailaddress email",
      company: "company",
      job_title: "position title",
    },
  },
  {
    name: "google_contacts",
    signs: [
      ...["email1value", "phone1value", "groupmembership", "givenname familyname yominame", "fileas labels"],
      ...["phoneticfirstname", "organization1name", "email1label", "organizationname organizationtitle"],
    ],
    columns: {
      name: "name fileas",
      first_name: "givenname firstname",
      middle_name: "additionalname middlename",
      last_name: "familyname lastname",
      company: "organization1name organizationname",
      job_title: "organization1title organizationtitle",
      email: "email1value email2value email3value email4value",
      phone: "phone1value phone2value phone3value phone4value",
      website: "website1value website2value",
      address: "address1formatted address1street address2formatted",
      city: "address1city address2city",
      state: "address1region address2region",
      country: "address1country address2country",
      postal_code: "address1postalcode address2postalcode",
      tags: "labels groupmembership",
      description: "notes",
      logo_url: "photo",
    },
    attributes:
      "location occupation nameprefix namesuffix nickname yominame organization1location organization1type address1extendedaddress",
  },
  {
    name: "outlook",
    signs: [
      ...[
        "emaildisplayname",
        "businessstreet businesscity",
        "email2address email3address",
        "businessphone homephone",
      ],
      ...[
        "emailangezeigtername",
        "strassegeschaftlich ortgeschaftlich",
        "telefongeschaftlich telefonprivat",
        "webpage mobilephone",
      ],
      ...["ruebureau", "telephonebureau", "telefonodeltrabajo", "telefonoufficio"],
      ...["telefoonwerk", "viaufficio", "telefonecomercial emaildisplayname"],
    ],
    columns: {
      first_name: "firstname vorname prenom nombre nome voornaam",
      middle_name: "middlename weiterevornamen deuxiemeprenom segundonombre tweedenaam",
      last_name: "lastname nachname nom apellidos cognome sobrenome achternaam",
      company: "company firma societe organizacion societa empresa bedrijf",
      job_title: "jobtitle position titre cargo posizione functie",
      email:
        "emailaddress email1address emailadresse adressedemessagerie direcciondecorreoelectronico indirizzopostaelettronica emailadres email2address email3address email2adresse",
      phone:
        "businessphone mobilephone businessphone2 companymainphone primaryphone homephone telefongeschaftlich mobiltelefon telephonebureau telmobile telefonodeltrabajo movil telefonoufficio cellulare telefoonwerk mobieletelefoon telefonprivat",
      website: "webpage webseite pageweb paginaweb webpagina personalwebpage",
      address:
        "businessstreet strassegeschaftlich ruebureau calledeltrabajo viaufficio straatwerk homestreet strasseprivat",
      address_2: "businessstreet2 strassegeschaftlich2",
      city: "businesscity ortgeschaftlich villebureau ciudaddetrabajo cittaufficio plaatswerk homecity ortprivat",
      state:
        "businessstate regiongeschaftlich depregionbureau provinciaoestadodetrabajo provinciaufficio homestate",
      country:
        "businesscountryregion businesscountry landregiongeschaftlich paysregionbureau paisoregiondetrabajo homecountryregion homecountry",
      postal_code:
        "businesspostalcode postleitzahlgeschaftlich codepostalbureau codigopostaldetrabajo capufficio postcodewerk homepostalcode",
      tags: "categories kategorien categorie categorias categorieen",
      description: "notes notizen notas note notities",
    },
    attributes:
      "title anrede suffix emaildisplayname emailangezeigtername location keywords stichworter profession beruf organizationalidnumber",
  },
  {
    name: "mailchimp",
    signs: ["memberrating", "leid", "euid", "optintime", "confirmip", "confirmtime"],
    columns: {
      email: "emailaddress email",
      first_name: "firstname fname",
      last_name: "lastname lname",
      name: "fullname name",
      company: "company companyname",
      phone: "phonenumber phone smsphonenumber",
      address: "address",
      rating: "memberrating",
      latitude: "latitude",
      longitude: "longitude",
      country: "country cc",
      state: "state region",
      city: "city",
      tags: "tags",
      source_id: "euid leid",
      description: "notes",
    },
    attributes: "status source emailmarketingstatus",
  },
  {
    name: "woocommerce",
    signs: [
      ...[
        "totalspend aov",
        "totalspend orders",
        "billingfirstname",
        "billingemail",
        "userlogin useremail",
        "aov orders",
      ],
      ...[
        "totalspent aov",
        "billingaddress1 billingcity",
        "aov username",
        "payingcustomer",
        "ispayingcustomer",
      ],
    ],
    columns: {
      name: "name displayname fullname customername",
      first_name: "firstname billingfirstname",
      last_name: "lastname billinglastname",
      company: "billingcompany company shippingcompany",
      email: "email useremail billingemail customeremail",
      phone: "billingphone phone shippingphone",
      website: "userurl url website",
      address: "billingaddress1 billingaddress address shippingaddress1",
      address_2: "billingaddress2",
      city: "billingcity city shippingcity",
      state: "billingstate state region shippingstate",
      country: "billingcountry country countryregion shippingcountry",
      postal_code: "billingpostcode postalcode postcode billingpostalcode shippingpostcode",
      source_id: "customerid userid id",
    },
    attributes: "username userlogin nickname status role roles userstatus usernicename",
  },
  {
    name: "hubspot",
    signs: [
      ...["recordid contactowner", "recordid lifecyclestage", "recordid companyowner", "recordid createdate"],
      ...["recordid leadstatus", "recordid firstname lastname", "recordid companyname", "hsobjectid"],
      ...[
        "lifecyclestage leadstatus",
        "contactowner lifecyclestage",
        "marketingcontactstatus",
        "companydomainname",
      ],
      ...["propertieshsobjectid", "contactowner leadstatus", "hsleadstatus", "recordid email"],
    ],
    columns: {
      source_id: "recordid hsobjectid propertieshsobjectid contactid companyid vid id",
      first_name: "firstname propertiesfirstname",
      last_name: "lastname propertieslastname",
      company:
        "companyname company propertiescompany associatedcompany primarycompany primaryassociatedcompany name propertiesname",
      job_title: "jobtitle propertiesjobtitle",
      email: "email workemail propertiesemail additionalemailaddresses",
      phone: "phonenumber phone propertiesphone mobilephonenumber",
      website: "websiteurl website companydomainname propertieswebsite propertiesdomain emaildomain",
      status: "leadstatus hsleadstatus propertieshsleadstatus",
      source: "originalsource originaltrafficsource leadsource hsanalyticssource",
      address: "streetaddress address propertiesaddress",
      address_2: "streetaddress2",
      city: "city propertiescity",
      state: "stateregion state propertiesstate",
      country: "countryregion country propertiescountry",
      postal_code: "postalcode zip propertieszip",
      category: "industry propertiesindustry",
      description: "description aboutus message",
      linkedin_url: "linkedinurl linkedinbio linkedincompanypage hslinkedinurl",
    },
    attributes: "type companytype emaildomain persona",
  },
]

/** What columns are called anywhere: English, German, French, Spanish, Italian, Portuguese, Dutch. */
export const WORDS: Readonly<Record<Role, string>> = {
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
    contacto cliente contatto contato referente responsavel`,
  first_name: `firstname givenname forename fname first contactfirstname vorname rufname prenom prenomducontact
    primernombre nombredepila nombrepropio nomedibattesimo nomeproprio primeironome voornaam roepnaam`,
  middle_name: `middlename middleinitial additionalname zweitername weiterevornamen zweitervorname deuxiemeprenom segundonombre
    secondonome nomedomeio tussenvoegsel tussenvoegsels middelstenaam`,
  last_name: `lastname surname familyname lname last contactlastname secondname nachname familienname zuname nomdefamille
    apellido apellidos primerapellido cognome sobrenome apelido ultimonome achternaam familienaam`,
  company: `company companyname organization organisation organizationname organisationname business businessname employer
    account accountname firm firmname currentcompany workplace legalname
    firma firmenname firmierung unternehmen unternehmensname betrieb betriebsname arbeitgeber gesellschaft firmenbezeichnung firma1
    entreprise nomentreprise nomdelentreprise societe nomsociete nomdelasociete raisonsociale organisme etablissement enseigne
    empresa nombreempresa nombredelaempresa nombredeempresa compania razonsocial organizacion sociedad nombrecomercial negocio
    azienda nomeazienda ditta societa ragionesociale impresa organizzazione denominazione
    nomedaempresa nomeempresa razaosocial organizacao companhia nomefantasia
    bedrijf bedrijfsnaam organisatie organisatienaam onderneming firmanaam`,
  job_title: `jobtitle position role designation occupation jobposition jobrole jobfunction headline function
    stellenbezeichnung funktion berufsbezeichnung positionimunternehmen beruf stelle jobbezeichnung jobtitel
    poste fonction titreduposte intituleduposte intituledeposte profession metier
    cargo puesto puestodetrabajo ocupacion profesion ruolo mansione posizione qualifica professione
    funcao profissao functie functietitel functienaam beroep`,
  linkedin_url: `linkedin linkedinurl linkedinprofile linkedinprofileurl linkedinlink personlinkedinurl personlinkedin
    linkedinpage linkedinprofil profillinkedin linkedinprofiel perfillinkedin perfildelinkedin profilolinkedin linkedincontactprofileurl companylinkedinurl companylinkedin`,
  email: `email emailaddress mail workemail businessemail primaryemail contactemail emailid emails emailaddresses email1 mailaddress useremail
    emailadresse mailadresse emailadressen emailgeschaftlich elektronischepost
    adresseemail adressemail adresseelectronique courriel adressecourriel mel emailprofessionnel
    correoelectronico correo direcciondecorreo direcciondecorreoelectronico direcciondeemail correoe
    indirizzoemail indirizzodipostaelettronica postaelettronica emailaziendale
    correioeletronico correioeletronico enderecodeemail enderecoeletronico emailadres emailadressenwerk`,
  phone: `phone phonenumber telephone telephonenumber tel workphone businessphone officephone mainphone primaryphone contactphone directphone contactnumber
    phone1 phonenumber1 telephone1 phones telno phoneno
    telefon telefonnummer telefonnr telnr telefon1 rufnummer festnetz festnetznummer telefongeschaftlich durchwahl
    numerodetelephone notelephone ntelephone telephonefixe telfixe fixe
    telefono numerodetelefono telefonofijo telefono1 telefonodecontacto numeroditelefono telefonofisso numeroditel
    telefone numerodetelefone telefonefixo telefoon telefoonnummer telefoonnr vastnummer
    mobile mobilephone mobilenumber mobilephonenumber mobileno cell cellphone cellnumber
    mobil mobiltelefon mobilnummer mobilnr mobilfunk handy handynummer handynr
    telephoneportable telephonemobile portable numeroportable telportable telefonomovil movil celular
    cellulare telefonocellulare telemovel telefonecelular mobiel mobielnummer mobieletelefoon gsm gsmnummer whatsapp`,
  website: `website websiteurl web homepage site siteurl webpage webaddress websiteaddress url weburl companywebsite domain domainname companydomain
    companydomainname websiteuri websitelink link webseite internetseite internetadresse internet homepageurl firmenwebseite webadresse
    siteweb siteinternet adressesiteweb adresseweb lien sitioweb paginaweb web1 direccionweb sitoweb sitointernet sito paginainternet
    websitedaempresa sitedaempresa sitio pagina webadres websiteadres webpagina`,
  address: `address fulladdress streetaddress formattedaddress address1 addressline1 addressstreet mailingaddress postaladdress completeaddress
    businessaddress officeaddress street streetname street1 streetandnumber streetandhousenumber location
    adresse anschrift strasseundhausnummer strassehausnummer strassenr strassehnr strasse firmenadresse
    adressecomplete adressepostale adresse1 rue voie numeroetrue
    direccion direccioncompleta direccionpostal domicilio calle calleynumero
    indirizzo indirizzocompleto via viaenumero sede
    endereco enderecocompleto morada logradouro rua
    adres straat straatnaam straatenhuisnummer straathuisnummer volledigadres`,
  address_2: `address2 addressline2 street2 adresszusatz adresse2 complementadresse complementdadresse direccion2 indirizzo2
    complemento suite apartment unit`,
  house_number: `housenumber houseno streetnumber hausnummer hausnr hnr numeroderue numerocivico civico huisnummer huisnr`,
  city: `city town locality cityname citytown municipality village addresscity stadt ort wohnort ortschaft gemeinde standort
    ville commune localite ciudad poblacion localidad municipio citta comune localita cidade localidade stad plaats woonplaats plaatsnaam gemeente vestigingsplaats`,
  state: `state region province county stateprovince stateregion statename addressregion provincestate usstate statecode
    bundesland kanton departement provincia comunidadautonoma comunidad estadoprovincia regione estado distrito uf provincie`,
  country: `country countryname countryregion nation addresscountry land staat pays pais paese nazione stato landnaam
    countrycode countryiso landercode landeskennzeichen codepays codigopais`,
  postal_code: `postalcode postcode zip zipcode zippostalcode postalzipcode pincode postal addresspostalcode addresszip
    plz postleitzahl codepostal cp codigopostal cap codicepostale codicediavviamentopostale cep codpostal codigodepostal`,
  category: `category industry categoryname maincategory primarycategory businesscategory businesstype primaryindustry sector niche
    branche branchenbezeichnung kategorie hauptkategorie sparte gewerbe wirtschaftszweig industrie
    secteur secteurdactivite categorie activite domainedactivite filiere
    categoria sector sectordeactividad industria rubro giro actividad settore settoreattivita attivita
    setor ramo ramodeatividade segmento atividade bedrijfstak bedrijfscategorie categories type types subtypes`,
  description: `description about summary descriptions notes note comments comment remarks bio message businessdescription
    beschreibung kurzbeschreibung bemerkung bemerkungen notiz notizen kommentar kommentare anmerkung anmerkungen info
    remarque remarques commentaire commentaires descripcion notas comentarios comentario observaciones
    descrizione commenti osservazioni descricao observacoes comentarios
    omschrijving beschrijving opmerking opmerkingen notities notitie toelichting`,
  logo_url: `logo logourl image imageurl thumbnail photo photourl picture pictureurl avatar avatarurl profileimage bild bildurl`,
  source_id: `placeid googleplaceid recordid externalid sourceid googleid cid dataid leadid contactid customerid clientid personid customernumber
    externalreference accountnumber customerno hsobjectid objectid uuid guid kundennummer kundennr kundenid kdnr debitorennummer debitorennr
    numeroclient numerodeclient idclient codeclient numerocliente numerodecliente idcliente codigocliente codigodecliente
    codicecliente numerodocliente codigodocliente klantnummer klantnr relatienummer id`,
  source: `source leadsource origin leadorigin sourceoflead originalsource acquisitionsource channel sourcechannel leadsourcechannel
    quelle leadquelle herkunft leadherkunft akquisekanal kanal source origine provenance sourceduprospect
    fuente origen procedencia fuentedelead fonte origine provenienza fontelead origem bron leadbron herkomst`,
  status: `status leadstatus stage leadstage pipelinestage dealstage contactstatus leadstate pipelinestatus salesstage
    leadphase phase kontaktstatus kundenstatus vertriebsstatus bearbeitungsstatus statut statutduprospect statutdulead etape etat
    estado estadodelead etapa fase stato statolead situacao statusdolead leadstatusnaam`,
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

/** Words around a name that do not change what it is, as in "Billing City" or "Telefon geschäftlich". */
export const AROUND = `primary main work business office company corporate contact lead person customer client billing mailing postal account
  organization organisation member physical headquarters hq default value address info details the of 1 work1 firmen firma kunde kunden
  kontakt geschaftlich dienstlich haupt haupt1 professionnel professionnelle pro principal principale entreprise empresa trabajo
  cliente contacto aziendale azienda lavoro zakelijk bedrijf klant comercial da do de du des della del di properties attributes
  fields data location geo public your my standard rechnung lead1 prospect`

/** The same for what comes second: taken where nothing better is there. */
export const SECOND = `home private privat personal personnel shipping delivery other secondary alternate alternative 2 3 4 5 second third
  mobile mobil sekundar weitere lieferung versand autre domicile perso particular otro casa altro prive overig thuis outro`

/** Names that look like something else than they are. */
export const NEVER = `username userid nickname productname campaignname listname eventname formname filename ownername domainnames
  emailstatus emailtype phonetype companyid accountid companytype contacttype leadtype customertype phonecountry countrycallingcode
  lastnamephonetic firstnamephonetic contactowner leadowner accountowner companyowner owner salutation anrede titel`

/** Statuses by what other programs and people call them. */
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
