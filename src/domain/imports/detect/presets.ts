// Presets: the column names that other programs write into their files. Everything here is data: a new program is a new
// entry in PRESETS. Names are written as `plainName` leaves them: lower case without accents, spaces and punctuation.
// Of several names for one role the first that a file has is read, the next one where that cell is empty.
import type { Status } from "../../../core/lead.ts"
import type { ColumnRole } from "./vocabulary.ts"

export interface Preset {
  /** Also the default source of its leads. */
  name: string
  /** A file with all columns of one of these lines was written by this program. */
  signs: readonly string[]
  /** Column names by role, nested values by their whole path. They take precedence over COLUMN_NAMES. */
  columns: Readonly<Partial<Record<ColumnRole, string>>>
  /** Columns that become attributes although their names sound like fields. */
  attributes?: string
  /** Statuses by the words of this program; they take precedence over STATUS_WORDS. */
  statuses?: Readonly<Record<string, Status>>
}

/** The first preset whose signs a file has applies. */
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
