/** Parts of the names of organisations. All are invented; places and surnames in them are on purpose. */
const list = (text) => text.trim().split(/\s*[;\n]\s*/);

/** What a company is called for short: a founder, a place, a word, an invention. */
export const companyStems = {
  founder:
    list(`Mercer; Hamilton; Lancaster; Calder; Whitlock; Brandt; Lincoln; Penrose; Keller; Marchetti; Okafor; Tanaka; Mehta;
    Novak; Lindqvist; Ferreira; Holm; Roth; Hartley; Barlow; Slater; Moreau; Bellini; Voss; Drake; Archer; Swift; Thorne; Jordan;
    Weber; Banerjee; Price; Carter; Winter; Hale; Rivers; Chen; Osei; Applewhite; Duarte; Washington; Stone; Kerr; Mensah`),
  place:
    list(`Severn; Trieste; Savannah; Adriatic; Wellington; York; Cordoba; Tuscany; Devon; Valencia; Baltic; Durham; Phoenix;
    Alexandria; Madeira; Burgos; Highland; Tagus; Kent; Thornwick; Ashcombe; Montana; Verona; Patagonia; Danube`),
  word: list(`Lantern; Compass; Beacon; Anchor; Clover; Maple; Ember; Quarry; Orchard; Kite; Slate; Willow; Falcon; Harbour; Summit;
    Apple Barn; Rose; Bluebell; Copper; Juniper; Granite; Thistle; Heron; Otter; Pebble; Raven; Sparrow; Tide; Velvet; Wren;
    Cobalt; Fennel; Hazel; Saffron; Sage; Sterling; Target Nine; Bridge; Spark; Evergreen; Blue Door; Red Kite; Nine Elms`),
  invention:
    list(`Axonix; Veridia; Corvex; Lumora; Zentara; Halvion; Trelix; Nordane; Quantra; Solvane; Ambrex; Perilon; Tavora;
    Kelvane; Brisota; Meridane; Optivar; Novalux; Celestra; Dynaro; KLR; NBT; Omnira; Pharos; Vectoria; Ardena; Sylvo; BRX`),
};

/** Endings of company names by trade. */
export const companyEndings = {
  tech: list("Systems; Software; Labs; Robotics; Networks; Data; Interactive; Semiconductors; Mobile; Technologies"),
  food: list("Foods; Dairies; Bakeries; Brewery; Coffee; Farms; Confectionery; Ice Cream; Mills"),
  finance: list("Bank; Capital; Insurance; & Partners; Trust; Savings Bank; Asset Management"),
  carrier: list("Airlines; Airlines; Airways; Air; Jet; Wings"),
  industry: list(
    "Energy; Power; Solar; Petroleum; Mining; Steel; Cement; Shipping; Logistics; Rail; Ferries; Pharma; Chemicals; Aerospace; Freight",
  ),
  retail: list("Stores; Outfitters; Furniture; & Sons; Brothers; & Daughters; Home; Textiles; Toys; Shoes"),
  press: list("Press; Books; Publishing; Media; & Lowe; Editions"),
  studio: list("Records; Pictures; Games; Studios; Films; Entertainment"),
  maker: list("Motors; Automotive; Electric; Motor Company; Cycles"),
  any: list("Group; Group; Industries; Holdings; Ltd; Ltd; Inc; Inc; plc; GmbH; SA; International; Partners"),
};

/** `*` stands for a town or city, `+` for a surname. */
export const universities =
  list(`the University of *; the University of *; * University; * University; + College; * Institute of Technology;
  * School of Economics; + University; * Conservatory; * Medical School; the Technical University of *; + School of Law`);
export const hospitals =
  list(`* General Hospital; St. Brigid's Hospital; + Memorial Hospital; * Children's Hospital; Royal * Infirmary;
  Queen Maud Hospital; * Eye Clinic; Saint Luke's Hospice; + Clinic; Holy Cross Hospital; * Medical Centre`);
export const museums =
  list(`* Maritime Museum; + Gallery; Museum of Glass; * Folk Museum; Museum of * History; National Railway Archive;
  + Foundation; Old Customs House Museum; * Philharmonic; * Opera; + Theatre Company; Museum of Small Machines; * City Library;
  Natural History Museum of *; * Film Archive`);
/** Each takes "the" before it. */
export const agencies =
  list(`Ministry of Fisheries|MoF; National Weather Bureau|NWB; * City Council|; Harbour Authority of *|;
  European Rail Agency|ERA; Department of Transport|DoT; Food Safety Board|FSB; National Audit Office|NAO;
  Ministry of Culture|; Coastal Protection Agency|CPA; Central Bank of *|; * Water Board|; 
  International Seabed Council|ISC; National Statistics Institute|NSI; Office for Fair Trade|OFT; Forestry Commission|;
  World Orchard Council|WOC; Civil Aviation Office|CAO; * Chamber of Commerce|; Health Inspectorate|;
  Bureau of Land Records|BLR; * Port Authority|; Ministry of Education|; Space Research Organisation|SRO; * Planning Board|;
  Data Protection Office|DPO; Northern Rivers Commission|NRC; * Housing Department|; Agency for Rural Roads|ARR`);
/** Parties, unions, societies: each takes "the" before it. */
export const parties =
  list(`Green Alliance; Workers' Party; Liberal Union; Progress Party; Centre Party; Conservative League; Democratic Front;
  People's Union; Civic Movement; Reform Party; * First Movement; Farmers' Party; New Republic Party; Citizens' List`);
export const guilds =
  list(`Dockworkers' Union; Teachers' Federation; Nurses' Association; Miners' Union; Bell Ringers' Guild; Transport Workers' Union;
  National Farmers' League; Bakers' Guild; * Taxi Drivers' Union; Actors' Association; Railway Union; Union of * Journalists`);
export const societies =
  list(`+ Foundation; Shelter Network; Society for Old Roads; * Cycling Club; Coastal Heritage Trust; Open Kitchen Project;
  * Rowing Club; Lighthouse Fund; Friends of *; Blue Rivers Trust; * Tenants' Association; + Trust; Reading Circle of *; Young Engineers Club;
  Hope Fund; + Society; * Chess Club; Committee for Clean Beaches`);
export const newspapers =
  list(`* Herald; * Times; * Courier; * Gazette; * Observer; Evening Post; Daily Courier; Morning Ledger; * Mail;
  Northern Star; Financial Record; * Tribune; Weekly Mirror; * Chronicle; Sunday Dispatch; * Echo; Harbour News`);
export const teamEndings =
  list(`Rovers; United; Wanderers; Harriers; Falcons; Athletic; Town; City; Rangers; Lions; Tigers; Giants; Albion;
  Foxes; Stags; Dynamo; Sporting; Hawks; Bears`);
export const bands =
  list(`Cold Harbour; Paper Lanterns; Rosewater; Low Tide Choir; Glass Parade; Velvet Foxes; Lincoln Avenue; Copper Saints;
  Winter Garden; Small Hours; Nova Kings; Tin Sparrows; Madison Blue; Ghost Orchard; Marble Arcade; Salt & Amber; Sunday Drivers;
  Electric Meadow; Kites; Georgia Nights; Wooden Planets; Last Tram Home; Quiet Giants; Violet Hour; Emma and the Owls; Juniper Road`);
