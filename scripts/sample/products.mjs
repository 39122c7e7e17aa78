/** Names of products and works. All are invented; some are also names of people, places or companies. */
const list = (text) => text.trim().split(/\s*[;\n]\s*/);

export const gadgetStems =
  list(`Corvo; Lumio; Tessa; Savannah; Denver; Olive; Iris; Pico; Halcyon; Nimbus; Juno; Orbit; Verona; Zephyr;
  Kestrel; Solo; Drift; Echo Lake; Marlin; Sonora; Vireo; Quill; Tempo; Astra; Florence; Rook; Breva; Otto; Pixo; Luna; Hera;
  Sierra; Cleo; Mistral; Kyoto; Ivy; Granada; Basel; Sparrow; Finch; Nova; Clarion; Adelaide; Opal; Tango; Bolt; Vista; Slate`);
export const gadgetVersions = list(
  "2; 3; 4; 5; 7; X2; X3; Pro; Mini; SE; 400; 650; One; Max; S; Air; T10; Plus; 2 Pro; Mark II",
);

export const appStems =
  list(`Tidepool; Notely; Pebble; Ledgerly; Maple; Fernweh; OpenKiln; Routewise; Inkwell; Taskhive; Papaya; Bluejay;
  Mapmaker; Cellar; Quickstep; Hark; Grove; Meridian; Plotline; Kindling; Lantern; Moth; Sandbox Studio; Draftsman; Chime; Cobalt Notes;
  Waypoint; Birdsong; Kiwi; Snapdragon Notes; Polyglot; Stacks; Sundial; Mercury Mail; Ferry; Beeline; Octave; Lookout; Rosetta Pad`);
export const appVersions = list("2; 3; 4.1; 2.4; 5.0; 11; 7.2; Pro; Lite; Desktop; for Teams; 2024; Cloud");

export const carNames =
  list(`Tucana; Cordoba; Marlin GT; Calder 200; Sierra Nova; Pampero; Lynx; Savannah; Stallion; Corsa Blu; Vento; Toledo;
  Ranger XL; Montana; Merlin; Arrow; Solstice; Puma 4; Victoria; Alba; Kodiak R; Tempest; Charlotte; Dakota; Meteor; Swift 9; E-40;
  Nomad; Siena; Comet; Hamilton Six; Volta; Aurora; Falcon S; Malaga; Orlando`);

export const books =
  list(`The Salt Road; A Winter in Trieste; Letters from Jordan; Mercer's Daughter; The Cartographer's Apprentice;
  Nine Bridges; What the River Kept; The House on Lincoln Avenue; Small Gods of the Harbour; An Orchard in Devon; The Last Ferry;
  Learning to Swim at Forty; Clara; The Weight of Paper; Hamilton's Clock; Rain over Lisbon; The Glass Beekeeper; Salt and Honey;
  A Short History of Doors; The Girl from Thornwick; Summer of the Wren; Cold Bread; The Sleeping Surveyor; Maps for the Blind;
  The Rose Tree; My Year without Clocks; Bread for Beginners; Roots and Weather; The Unfinished Letter; Goodbye to Savannah;
  The Mathematics of Rain; A Dictionary of Small Birds; The Second Life of Anna Berg; Blue Kitchens; Lantern Street; Down to the Delta;
  The Quiet Parliament; Walking to Santiago; Old Money, New Bread; The Owl in the Attic; Florence; The Tailor of Cork; Ashes and Apples`);
export const films =
  list(`The Long Tide; Midnight in Tbilisi; Paper Moons over Porto; The Watchmaker; Red Harvest Moon; Dear Mr. Lincoln;
  North by Ferry; Nobody's Piano; The Inspector Calls Twice; Two Suitcases; Valencia; Sugar and Smoke; The Man from Ashcombe;
  A Dog Named Tuesday; The Good Harbour; Under the Grauhorn; Third Platform; Saint Carmen of the Buses; Snow Country Road; The Understudy;
  Everything but the Rain; Last Train to Leipzig; The Violet Hour; Kingfisher; Bitter Lemons; Seven Winters; The Jordan Tapes; Milan;
  Hotel Adriatic; Echoes of Amber; Dust; The Baker's War; An Ordinary Miracle; The Glass Lighthouse; Four Sisters; Charlotte Sometimes Waits`);
export const games =
  list(`Deepwood; Castle Harrow; Starfarer 3; The Lantern Trials; Rail Baron Deluxe; Goblin Orchard; Skybreak; Tiny Farmers;
  Iron Tide; Lost in Kyoto; Mercer Manor; Chess Garden; Night Courier; Polar Drift; Empire of Salt; Mushroom Kart; Paper Knights;
  Hollow Signal; Dune Runner 2; Harbour Master; Words and Wolves; Super Otter; Quest for Amber; The Hamilton Case; Rogue Planet`);
export const songs =
  list(`Rain on Rose Lane; Savannah; Leave the Light; Georgia in June; Hold Me Again; Seven Blue Doors; The Ferryman; Paper Heart;
  Slow Train to Galway; Almost Home; Dancing in Burgos; Little Victories; Cold Coffee; Sofia; Under Your Umbrella; Thunder Road North;
  Jolene's Sister; Nowhere Fast; Chelsea Morning Rain; Velvet; Wildflower; My Brother's Car; Ten Miles to Austin; Carousel`);
export const drinks =
  list(`Old Harbour Ale; Rose & Thorn Gin; Nonna's Gold; Madeira Nights; Velvet Roast; Kestrel Pale; Morning Bell; Juniper No. 9;
  Red Fox Cider; Highland Mist; Casa Luna; Orchard Gold; Choco Moons; Crispy Otters; Lemon Drift; Sunday Blend; Baltic Porter 8; Dr. Finch Tonic;
  Amber Leaf; Pepper Jacks; Blue Heron Stout; Monte Claro Reserve; Ginger Tom; Sweet Savannah`);
