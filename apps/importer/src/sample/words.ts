/**
 * The words of which the sample accounts are built. No real person or place is meant: given and family names are
 * combined at random, the towns are invented, and the postcode district 99 is not in use.
 */
type Words = readonly [string, ...string[]];

export const TITLES: Words = ['Mr', 'Mrs', 'Ms', 'Miss', 'Mx', 'Dr', 'Prof'];

export const GIVEN_NAMES: Words = [
  'Aoife',
  'Bartłomiej',
  'Chloë',
  'Đorđe',
  'Élodie',
  'Fatima',
  'Grażyna',
  'Hywel',
  'Ілля',
  'Jürgen',
  'Κωνσταντίνα',
  '娜',
  'Małgorzata',
  'محمود',
  'Ngozi',
  'Øyvind',
  'Priya',
  'प्रिया',
  'Rhiannon',
  'Şebnem',
  'Tomás',
  'Uzma',
  'Văn',
  'Wanjirũ',
  'Xochitl',
  'ゆき',
  'Zoë',
  'שרה',
  'Rowan',
  'Maeve',
  'Callum',
  'Anne-Marie',
];

export const FAMILY_NAMES: Words = [
  'Aldous',
  'Brook',
  'Çelik',
  'D’Arcy-Flint',
  'Eklöf',
  'Finch',
  'Gwynne',
  'Hrabě',
  'Iñárritu',
  'Jankauskienė',
  'Kowalczyk',
  'Lê',
  "M'Bala",
  'Ní Dhuibh',
  'O’Sheel',
  'Παππάς',
  'Quill',
  'Rønne',
  'Stępień',
  'Тихая',
  'Usman',
  'van der Wiel',
  'Wójcik',
  '李',
  'Yılmaz',
  'Żak',
  'مراد',
  'कपूर',
  'Pike',
  'Marsh-Tallow',
];

export const STREETS: Words = [
  'Mill Lane',
  'Weir Cottages',
  'Ffordd y Llyn',
  'Heol yr Eos',
  'Sràid na h-Eaglaise',
  'Vean Terrace',
  "St Osyth's Row",
  'Kiln Yard',
  'Tallow Court',
  'Fish Row',
  'Allée des Tilleuls',
  'Harbour Lane',
  'Præstegade Mews',
  'Upper Ropewalk',
  'Long Acre (East)',
];

/** Towns, each with the area letters of its invented postcodes. */
export const TOWNS: readonly [[string, string], ...[string, string][]] = [
  ['Larkby', 'NN'],
  ['Saltwick', 'YO'],
  ['Nether Quill', 'HU'],
  ['Llanfryn Ddu', 'LL'],
  ['Aberystrad', 'SA'],
  ['Inverdunnoch', 'IV'],
  ['Baile Ruadh', 'PA'],
  ['Trewhella Cove', 'TR'],
  ['Much Harrowby', 'HR'],
  ['Kilbrannoch', 'KA'],
  ['Sandholme-on-Sea', 'NR'],
  ['Whinfell Bridge', 'CA'],
];

/** The letters that can end a British postcode. */
export const POSTCODE_LETTERS: Words = [
  'A',
  'B',
  'D',
  'E',
  'F',
  'G',
  'H',
  'J',
  'L',
  'N',
  'P',
  'Q',
  'R',
  'S',
  'T',
  'U',
  'W',
  'X',
  'Y',
  'Z',
];

/** Trades of businesses, each with a customer reference. */
export const TRADES: readonly [[string, string], ...[string, string][]] = [
  ['Loaves', 'Ovens'],
  ['Cycles', 'Workshop'],
  ['Timber', 'Sawmill'],
  ['Café Müller', 'Kitchen'],
  ['Laundry', 'Boilers'],
  ['Printworks', 'Press room'],
  ['Zażółć Deli', 'Cold store'],
  ['Joinery', 'Bench shop'],
];

/**
 * Ranges of phone numbers that are valid in the numbering plan but not in use: for landlines the ranges reserved for
 * drama. The metadata does not know the drama range of mobiles, so their range is that of its own example number.
 * Without the leading 0 and the last three digits.
 */
export const LANDLINES: Words = [
  '2079460',
  '1134960',
  '1144960',
  '1164960',
  '1174960',
  '1214960',
  '1314960',
  '1414960',
  '1514960',
  '1614960',
  '1914980',
  '2896496',
  '2920180',
];
export const MOBILES: Words = ['7400123'];

/** Texts of notes. */
export const NOTES: Words = [
  'Prefers calls after 18:00.',
  'Asked for a large-print bill; sent 12 May.',
  'Meter is behind the blue door, key with the neighbour (no. 7).',
  'Deliveries block the meter cupboard before 09:00.',
  'Vorsicht, Hund! Ring twice; the dog is friendly but loud 🐕.',
  'Spoke Welsh on the phone — Cymraeg os gwelwch yn dda.',
  'Reading given by text message, checked against the photograph.\nAgrees to the digit.',
  'Says "the direct debit is too high"; review promised, see letter 3.',
];
