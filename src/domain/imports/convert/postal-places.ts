// What tells the country of an address that names none: the form of its postal code, its largest cities, and the phone.
import { foldWord } from "../../../text/words.ts"

interface Place {
  /** Its English name, which a lead gets. */
  country: string
  /** Further names that addresses end with, folded. */
  names: readonly string[]
  /** The international dialling code, without `+`. */
  dial: string
  postalCode: RegExp
}

const POSTAL_CODES: Readonly<Record<string, RegExp>> = {
  ...{ four: /^\d{4}$/, five: /^\d{5}$/, six: /^\d{6}$/, three_two: /^\d{3} ?\d{2}$/ },
  ...{ dutch: /^\d{4} ?[A-Z]{2}$/, polish: /^\d{2}-\d{3}$/, portuguese: /^\d{4}-\d{3}$/ },
  ...{ british: /^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$/, irish: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/ },
}

/** Countries: further names; dialling code; form of the postal code; the largest cities by the names that people write. */
const TABLE = `
  # Germany; deutschland, alemania, allemagne, germania, de; 49; five;
    Berlin, Hamburg, München, Munich, Köln, Cologne, Frankfurt am Main, Frankfurt, Stuttgart, Düsseldorf,
    Leipzig, Dortmund, Essen, Bremen, Dresden, Hannover, Hanover, Nürnberg, Nuremberg, Duisburg, Bochum,
    Wuppertal, Bielefeld, Bonn, Münster, Mannheim, Karlsruhe, Augsburg, Wiesbaden, Mönchengladbach,
    Gelsenkirchen, Aachen, Braunschweig, Chemnitz, Kiel, Halle (Saale), Magdeburg, Freiburg im Breisgau,
    Freiburg, Krefeld, Mainz, Lübeck, Erfurt, Oberhausen, Rostock, Kassel, Hagen, Potsdam, Saarbrücken,
    Ludwigshafen am Rhein, Oldenburg, Leverkusen, Osnabrück, Heidelberg, Darmstadt, Regensburg, Würzburg,
    Ingolstadt, Ulm, Heilbronn, Pforzheim, Wolfsburg, Göttingen, Reutlingen, Koblenz, Jena, Trier, Erlangen
  # Austria; österreich, at; 43; four;
    Wien, Vienna, Graz, Linz, Salzburg, Innsbruck, Klagenfurt, Klagenfurt am Wörthersee, Villach, Wels,
    Sankt Pölten, St. Pölten, Dornbirn, Wiener Neustadt, Steyr, Bregenz, Feldkirch, Leonding, Eisenstadt
  # Switzerland; schweiz, suisse, svizzera, ch; 41; four;
    Zürich, Zurich, Genève, Genf, Geneva, Basel, Bâle, Lausanne, Bern, Berne, Winterthur, Luzern, Lucerne,
    St. Gallen, Sankt Gallen, Lugano, Biel, Biel/Bienne, Thun, Köniz, La Chaux-de-Fonds, Fribourg,
    Schaffhausen, Chur, Vernier, Neuchâtel, Uster, Sion, Zug, Aarau
  # France; frankreich, fr; 33; five;
    Paris, Marseille, Lyon, Toulouse, Nice, Nantes, Montpellier, Strasbourg, Bordeaux, Lille, Rennes, Reims,
    Toulon, Saint-Étienne, Le Havre, Grenoble, Dijon, Angers, Villeurbanne, Nîmes, Aix-en-Provence,
    Clermont-Ferrand, Le Mans, Brest, Tours, Amiens, Annecy, Limoges, Metz, Besançon, Perpignan, Orléans,
    Rouen, Mulhouse, Caen, Nancy, Argenteuil, Montreuil, Avignon, Poitiers, Versailles, Pau, Cannes,
    La Rochelle, Boulogne-Billancourt
  # Italy; italia, italien, it; 39; five;
    Roma, Rome, Milano, Milan, Napoli, Naples, Torino, Turin, Palermo, Genova, Genoa, Bologna, Firenze,
    Florence, Bari, Catania, Verona, Venezia, Venice, Messina, Padova, Trieste, Brescia, Parma, Taranto,
    Prato, Modena, Reggio Calabria, Reggio Emilia, Perugia, Ravenna, Livorno, Rimini, Cagliari, Foggia,
    Ferrara, Salerno, Latina, Monza, Bergamo, Trento, Vicenza, Bolzano, Novara, Piacenza, Ancona, Udine,
    Lecce, Pisa
  # Spain; españa, spanien, espagne, es; 34; five;
    Madrid, Barcelona, Valencia, València, Sevilla, Seville, Zaragoza, Málaga, Malaga, Murcia, Palma,
    Palma de Mallorca, Las Palmas de Gran Canaria, Bilbao, Alicante, Valladolid, Vigo, Gijón,
    L'Hospitalet de Llobregat, Vitoria-Gasteiz, A Coruña, Granada, Elche, Oviedo, Badalona, Terrassa,
    Sabadell, Móstoles, Pamplona, Almería, San Sebastián, Donostia, Santander, Burgos, Albacete, Salamanca,
    Logroño, Marbella, Tarragona, Girona, Cádiz, Lleida
  # Belgium; belgië, belgique, belgien, be; 32; four;
    Bruxelles, Brussel, Brussels, Antwerpen, Antwerp, Anvers, Gent, Ghent, Charleroi, Liège, Brugge, Bruges,
    Namur, Leuven, Mons, Mechelen, Aalst, Hasselt, Kortrijk, Oostende, Genk
  # Denmark; danmark, dänemark, dk; 45; four;
    København, Copenhagen, Aarhus, Århus, Odense, Aalborg, Esbjerg, Randers, Kolding, Horsens, Vejle,
    Roskilde, Herning, København K, København V, København N, København S, København Ø, Aarhus C,
    Frederiksberg
  # Norway; norge, norwegen, no; 47; four;
    Oslo, Bergen, Trondheim, Stavanger, Drammen, Fredrikstad, Kristiansand, Sandnes, Tromsø, Sarpsborg, Skien,
    Ålesund, Bodø
  # Sweden; sverige, schweden, se; 46; three_two;
    Stockholm, Göteborg, Gothenburg, Malmö, Uppsala, Västerås, Örebro, Linköping, Helsingborg, Jönköping,
    Norrköping, Lund, Umeå, Gävle, Borås, Södertälje, Solna
  # Finland; suomi, finnland, fi; 358; five;
    Helsinki, Helsingfors, Espoo, Tampere, Vantaa, Oulu, Turku, Jyväskylä, Lahti, Kuopio, Pori, Joensuu,
    Lappeenranta, Vaasa
  # Netherlands; the netherlands, nederland, niederlande, nl; 31; dutch;
    Amsterdam, Rotterdam, Den Haag, 's-Gravenhage, The Hague, Utrecht, Eindhoven, Groningen, Tilburg, Almere,
    Breda, Nijmegen, Apeldoorn, Haarlem, Arnhem, Enschede, Amersfoort, Zwolle, Leiden, Maastricht, Delft,
    Dordrecht
  # Poland; polska, polen, pl; 48; polish;
    Warszawa, Warsaw, Kraków, Krakow, Cracow, Łódź, Wrocław, Poznań, Gdańsk, Szczecin, Bydgoszcz, Lublin,
    Białystok, Katowice, Gdynia, Częstochowa, Radom, Rzeszów, Toruń, Sosnowiec, Kielce, Gliwice, Olsztyn
  # Portugal; pt; 351; portuguese;
    Lisboa, Lisbon, Lissabon, Porto, Oporto, Braga, Coimbra, Funchal, Amadora, Setúbal, Almada, Faro, Aveiro,
    Évora, Vila Nova de Gaia, Guimarães, Leiria
  # Czechia; česko, tschechien, czech republic, cz; 420; three_two;
    Praha, Prague, Prag, Brno, Ostrava, Plzeň, Liberec, Olomouc, České Budějovice, Hradec Králové, Pardubice,
    Zlín
  # Slovakia; slovensko, slowakei, sk; 421; three_two; Bratislava, Košice, Prešov, Žilina, Nitra, Trnava
  # Greece; griechenland, ελλάδα, gr; 30; three_two;
    Αθήνα, Athens, Athen, Athina, Θεσσαλονίκη, Thessaloniki, Πάτρα, Patra, Heraklion, Ηράκλειο, Piraeus,
    Πειραιάς, Larissa, Λάρισα
  # Hungary; magyarország, ungarn, hu; 36; four;
    Budapest, Debrecen, Szeged, Miskolc, Pécs, Győr, Nyíregyháza, Kecskemét, Székesfehérvár
  # Romania; românia, rumänien, ro; 40; six;
    București, Bucuresti, Bucharest, Cluj-Napoca, Timișoara, Iași, Constanța, Craiova, Brașov, Galați, Oradea,
    Sibiu
  # Croatia; hrvatska, kroatien, hr; 385; five; Zagreb, Split, Rijeka, Osijek, Zadar, Pula, Dubrovnik
  # United Kingdom; uk, great britain, england, scotland, wales, gb; 44; british;
    London, Birmingham, Manchester, Leeds, Glasgow, Sheffield, Bradford, Liverpool, Edinburgh, Bristol,
    Cardiff, Leicester, Coventry, Nottingham, Belfast, Newcastle upon Tyne, Brighton, Hull, Plymouth,
    Wolverhampton, Derby, Stoke-on-Trent, Southampton, Swansea, Aberdeen, Portsmouth, York, Peterborough,
    Dundee, Oxford, Cambridge, Norwich, Milton Keynes, Northampton, Luton, Reading, Exeter, Gloucester, Bath,
    Chester
  # Ireland; irland, éire, ie; 353; irish;
    Dublin, Cork, Limerick, Galway, Waterford, Drogheda, Dundalk, Swords, Kilkenny, Sligo
  # Slovenia; slovenija, slowenien, si; 386; four; Ljubljana, Maribor, Celje, Kranj, Koper
  # Luxembourg; luxemburg, lu; 352; four; Luxembourg, Luxemburg, Esch-sur-Alzette, Differdange, Dudelange
  # Turkey; türkiye, türkei, tr; 90; five;
    İstanbul, Istanbul, Ankara, İzmir, Izmir, Bursa, Antalya, Adana, Konya, Gaziantep, Mersin, Kayseri,
    Eskişehir`

/** The places of a large city, by its folded name. */
const BY_CITY = new Map<string, Place[]>()

const PLACES: readonly Place[] = TABLE.split("#")
  .slice(1)
  .map((row) => {
    const [country = "", names = "", dial = "", form = "", cities = ""] = row
      .split(";")
      .map((part) => part.trim())
    const place = {
      ...{ country, dial, postalCode: POSTAL_CODES[form]! },
      names: [country, ...names.split(",")].map(foldName),
    }
    // Some are written twice, with accents and without.
    for (const city of new Set(cities.split(",").map(foldName)))
      BY_CITY.set(city, [...(BY_CITY.get(city) ?? []), place])
    return place
  })

function foldName(name: string): string {
  return foldWord(name.trim())
}

/** Whether a name is that of a large city, of the named country where one is given. */
export function isLargeCity(city: string, country?: string): boolean {
  const places = BY_CITY.get(foldName(city))
  if (!places) return false
  return country === undefined || places.some(({ names }) => names.includes(foldName(country)))
}

/** The country whose code ends an address, where the postal code is of its form. */
export function countryOfCode(code: string, postalCode: string): string | undefined {
  if (!/^[A-Z]{2}$/.test(code)) return undefined
  const name = code.toLowerCase()
  return PLACES.find(({ names, postalCode: form }) => names.includes(name) && form.test(postalCode))?.country
}

/** The country that a postal code and a city lie in, by a large city of that form or else by the phone; undefined where it is not certain. */
export function countryOfPlace(postalCode: string, city: string, phone?: string): string | undefined {
  const fitting = (places: readonly Place[]) => places.filter((place) => place.postalCode.test(postalCode))
  const [only, ...others] = fitting(BY_CITY.get(foldName(city)) ?? [])
  if (only && others.length === 0) return only.country
  const digits = /^\s*(?:\+|00)\s*(?:\(\s*)?(\d[\d\s]*)/.exec(phone ?? "")?.[1]?.replaceAll(/\s/g, "")
  if (digits === undefined) return undefined
  return fitting(PLACES.filter(({ dial }) => digits.startsWith(dial)))[0]?.country
}
