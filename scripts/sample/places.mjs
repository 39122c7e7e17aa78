/** Places, each with the country it lies in. A small "the" before a name is not a part of it. */
const list = (text) => text.trim().split(/\s*[;\n]\s*/);

/** `Portugal: Lisbon, Porto` becomes one record for each name. */
function byCountry(text) {
  return list(text).flatMap((line) => {
    const [country, names] = line.split(": ");
    return names.split(", ").map((name) => ({ name, country }));
  });
}

export const realCities = byCountry(`
  Portugal: Lisbon, Porto, Braga
  England: London, Leeds, York, Lincoln, Lancaster, Preston, Bolton, Durham, Derby, Warwick, Sheffield, Bath, Reading
  Scotland: Glasgow, Perth, Aberdeen
  Wales: Cardiff, Swansea
  Ireland: Dublin, Cork, Galway
  France: Paris, Lyon, Nantes, Nice, Tours, Lille
  Spain: Madrid, Valencia, Toledo, Cordoba, Burgos, Bilbao
  Italy: Florence, Milan, Turin, Trieste, Ferrara, Verona, Siena, Bologna
  Germany: Berlin, Hamburg, Leipzig, Dresden
  Austria: Vienna, Graz
  Switzerland: Zurich, Basel
  the Netherlands: Utrecht, Leiden
  Czechia: Prague, Brno
  Poland: Warsaw, Kraków, Gdansk
  Hungary: Budapest
  Croatia: Zagreb, Split
  Greece: Athens, Patras
  Bulgaria: Sofia, Varna
  Turkey: Istanbul, Izmir
  Georgia: Tbilisi
  Jordan: Amman, Aqaba
  Egypt: Cairo, Alexandria
  Tunisia: Tunis
  Chad: N'Djamena
  Ghana: Accra, Kumasi
  Nigeria: Lagos, Ibadan
  Kenya: Nairobi, Mombasa
  South Africa: Durban
  India: Mumbai, Pune, Kochi
  Sri Lanka: Colombo
  Vietnam: Hanoi
  Japan: Osaka, Kyoto, Nagoya
  South Korea: Busan
  Australia: Sydney, Adelaide, Melbourne
  New Zealand: Wellington, Hamilton, Auckland
  Canada: Toronto, Victoria, Halifax
  the United States: Houston, Dallas, Austin, Charlotte, Savannah, Madison, Phoenix, Orlando, Jackson, Troy, Mobile, Washington, Boston, Denver
  Peru: Lima, Cusco
  Chile: Santiago, Valparaíso
  Colombia: Bogotá, Medellín
  Uruguay: Montevideo
  Ecuador: Quito
  Brazil: Recife, Salvador
  Argentina: Buenos Aires, Rosario
  Saudi Arabia: Medina
  Qatar: Doha
  Oman: Muscat
`);

/** Invented towns: facts may be told of them without being false. */
export const towns = byCountry(`
  England: Ashcombe, Thornwick, Kestrel Bay, Upper Marlow, Quarrington, Saltmere, Hollowbridge, Little Penrose, Wexcombe, Aldersley, Stoke Merrow, Port Alder, Great Harding, Barrow Heath, Cutler's Mill, Winterbrook
  Scotland: Kilbrannick, Dunmorrow, Strathmuir, Port Ellary, Glenfarrow
  Wales: Llanferris, Aberwen, Pontmelyn
  Ireland: Ballycarrow, Kilmorna, Dunravel
  Portugal: Vila Serena, Monte Claro, Santa Leonor
  Spain: Valdeluna, San Telmo del Río, Puerto Sereno, Villamora
  France: Saint-Aurel, Montrevin, Vaucelles-sur-Mer, Belleroche
  Italy: Velmare, Castel Fiorino, Montebruno, San Donato Alto
  Germany: Sankt Orlen, Grünfelde, Oberwinkel, Hartenbruck
  Austria: Hohenried, Seefelden
  Norway: Nordvik, Solhavn
  Sweden: Ekvallen, Torsby Strand
  Denmark: Kirkehavn
  Poland: Nowa Rudawa, Brzezany
  Czechia: Slavice, Hradek nad Lipou
  Croatia: Starovac
  Romania: Valea Verde
  Greece: Agios Lefteris, Kastrovouni
  Turkey: Akcapinar
  Ghana: Adankrom
  Nigeria: Okeladun
  Kenya: Ngaruni
  India: Chandipet, Nilgaon
  Japan: Aokawa, Minamizaki
  the United States: Cedar Junction, Fort Mercer, Harlan Falls, Copper Creek, New Lancaster, Port Savage, Maple Grove, Hope Springs
  Canada: Birch Landing, Lac Perdu
  Australia: Wattle Creek, Barragunda
  New Zealand: Te Awanui
  Mexico: San Jacinto del Mar
  Peru: Huarapampa
  Chile: Puerto Almagro
  Brazil: Serra Clara
`);

export const countries =
  list(`Portugal; Spain; France; Italy; Germany; Austria; Switzerland; the Netherlands; Belgium; Ireland;
  Scotland; Wales; England; Norway; Sweden; Denmark; Finland; Iceland; Estonia; Latvia; Lithuania; Poland; Czechia; Slovakia;
  Hungary; Croatia; Serbia; Slovenia; Romania; Bulgaria; Greece; Turkey; Georgia; Armenia; Jordan; Lebanon; Egypt; Tunisia;
  Morocco; Chad; Mali; Senegal; Ghana; Nigeria; Kenya; Tanzania; Uganda; Zambia; South Africa; India; Sri Lanka; Nepal;
  Vietnam; Thailand; Malaysia; Indonesia; the Philippines; Japan; South Korea; China; Mongolia; Australia; New Zealand; Canada;
  the United States; Mexico; Cuba; Colombia; Ecuador; Peru; Chile; Bolivia; Uruguay; Brazil; Argentina; Qatar; Oman; Cyprus; Malta`);

export const regions =
  list(`Devon; Kent; Cornwall; Tuscany; Andalusia; Bavaria; Brittany; Provence; Normandy; Galicia; Silesia;
  Kerala; Patagonia; Montana; Virginia; Dakota; Alberta; Catalonia; Sicily; Crete; Sardinia; Lapland; Flanders; the Highlands;
  the Algarve; the Midlands; Yorkshire; Ulster; the Balkans; Hokkaido; West Bengal; Holland; Chelsea; Brooklyn; Umbria; Madeira`);

export const waters =
  list(`the Danube; the Rhine; the Tagus; the Thames; Lake Geneva; Lake Victoria; Lake Garda; the Baltic Sea;
  the Adriatic; the Black Sea; the Severn; the Nile; the Jordan; the Orange River; the Bay of Biscay; the Bosphorus; the Douro`);

/** Invented rivers and lakes. */
export const streams = byCountry(`
  England: the Aldwater, the River Merrow, Harding Mere, the Wex
  Scotland: Loch Farrow, the Ellary, Loch Mercer
  Wales: the Melyn
  Ireland: Lough Carrow, the Ravel
  Portugal: the Ribeira Clara
  Spain: the Luna
  France: the Vaucelle, the Aurelle
  Italy: Lago Sereno, the Fiorina
  Germany: the Orla, the Hartach
  Norway: the Nordelva
  Poland: the Rudawka
  Kenya: Lake Ngaru
  India: the Nilganga
  the United States: the Little Harlan River, Lake Lincoln, the Savage River
  Canada: Lac Perdu, the Birch River
  Australia: the Barra
`);

/** Invented mountains. */
export const peaks = byCountry(`
  England: Harrow Tor, Penrose Fell
  Scotland: Ben Carrick, Sgurr Mor Ellary
  Wales: Moel Ferris
  Spain: Pico Sereno
  France: the Aiguille Perdue
  Italy: Monte Bruno, Cima Fiorina
  Austria: the Grauhorn, the Hohe Linde
  Norway: Solhetta
  Georgia: Mount Tamriko
  Kenya: Mount Ngaru
  Japan: Mount Aozora
  the United States: Mount Lincoln, Mercer Peak, Mount Hope
  Canada: Mount Whitlock
  New Zealand: Mount Awanui
  Peru: Nevado Huarapa
`);

export const streetNames =
  list(`Lincoln; Mercer; Hamilton; Victoria; Rose; Apple; Mill; Church; Station; Harbour; Chapel; Wellington;
  Washington; Jackson; Calder; Penrose; Orchard; Willow; Maple; Castle; Market; Bridge; King; Bishop; Abbott; Marlow; Lancaster;
  Carter; Finch; Juniper; Quarry; Anchor; Ferry; Hope; Cannon; Tanner's; Saint Anne's`);
export const streetKinds = list("Street; Street; Road; Road; Lane; Avenue; Square; Crescent; Hill");

export const siteNames =
  list(`Victoria; Hamilton; Alder; Kestrel; Mercer; Wellington; Lincoln; Whitlock; Santa Leonor; Charlotte;
  Harding; Albion; Northgate; Calder; Florence; Queen's; Old Mill; Garland; Washington; Rivers; Salazar; Okafor; Bellini; Rosewood`);
export const siteKinds = {
  park: list("Park; Park; Gardens; Pier; Market; Forest; Island; Common"),
  bridge: list("Bridge; Bridge; Tunnel; Viaduct"),
  station: list("Station; Station; Central; Terminus; Ferry Terminal"),
  airport: list("Airport; International Airport; Airfield"),
  stadium: list("Stadium; Arena; Ground; Road End"),
};
