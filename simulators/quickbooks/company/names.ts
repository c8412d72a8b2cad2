/** Names common in Ontario. */

export const givenNames =
  `Olivia Liam Emma Noah Charlotte William Amélie Léo Florence Thomas Alice Nathan Chloé Félix Zoé Édouard Maëlle Étienne
Priya Arjun Ananya Rohan Kavita Vikram Meera Harpreet Gurpreet Jaswinder Simran Manpreet Mei Wei Jing Hao Xinyi Jun Yuki Haruto Soo-jin Min-ho
Fatima Omar Aisha Yusuf Layla Hassan Maryam Ali Noor Zahra Sofía Mateo Lucía Diego José María Ángel Inés João Beatriz Gonçalo Giulia Marco Chiara
Luca Zofia Jakub Małgorzata Łukasz Oksana Andriy Svitlana Dmytro Siobhán Niamh Seán Aoife Fiona Angus Mhairi Ewan Ingrid Søren Åsa Björn Jürgen Käthe
Amara Chidi Ngozi Kwame Abena Thuy Linh Minh Anh Maria-Elena Jean-Luc Marie-Ève Grace Daniel Hannah Samuel Leah David Rachel Adam`
    .split(/\s+/)
    .filter((name) => name !== '')

export const familyNames =
  `Smith|Brown|Tremblay|Martin|Roy|Wilson|Macdonald|Gagnon|Johnson|Taylor|Campbell|Anderson|Leblanc|Côté|Williams|Jones|Thompson
Lee|Wong|Chen|Li|Wang|Zhang|Liu|Nguyen|Tran|Pham|Patel|Singh|Kaur|Sharma|Gill|Dhillon|Sidhu|Khan|Ahmed|Hussain|Ali|Malik|Rahman|Hassan
O'Neill|O'Brien|O'Connor|O'Sullivan|D'Souza|D'Angelo|D'Amico|Dell'Aquila|L'Heureux|M'Bala|Fitzgerald|McKenna|MacLeod|Bélanger|Bouchard|Lévesque
Gauthier|Thériault|Pelletier|Desjardins|St-Pierre|Beauséjour|Rossi|Russo|Ferrari|Esposito|Bianchi|Colombo|De Luca|Di Giovanni|Silva|Santos|Ferreira
Gonçalves|Araújo|García|Rodríguez|Martínez|Hernández|Peña|Muñoz|Kowalski|Nowak|Wiśniewski|Wójcik|Zieliński|Szczepański|Kovalenko|Shevchenko|Bondarenko
Novák|Horváth|Szabó|Popescu|Ionescu|Petrović|Jovanović|Kovačević|Müller|Schröder|Weiß|van der Berg|de Vries|Nielsen|Sørensen|Åkesson|Öberg
Cohen|Levy|Goldberg|Friedman|Haddad|Khoury|Nasser|Farahani|Hosseini|Rezaei|Yılmaz|Demir|Çelik|Okafor|Adeyemi|Mensah|Tadesse|Kim|Park|Choi|Tanaka|Sato
Reyes|Cruz|Bautista|Dela Cruz|Villanueva|Fernando|Perera|Sivakumar|Murphy|Kelly|Ryan|Walsh|Stewart|Robertson|Fraser|Whiteduck|Sinclair`.split(
    /[|\n]/,
  )

/** Company names with characters that are hard to search for. */
export const companyNames = [
  '100% Glow Medspa Inc.',
  "Women's College Hospital Foundation",
  "L'Atelier Beauté Ltée",
  'Smith & Sons Dental',
  'Halton Skin_Lab Ltd.',
  'Trillium Insurance "Extended Health"',
  'Workplace Safety & Insurance Board',
  'Lakeshore Physio (Oakville)',
  'Bronte Village Pharmacy',
  'Çelik & Öberg Design',
]

export const cities: readonly (readonly [city: string, postalCode: string])[] = [
  ['Oakville', 'L6J 2K4'],
  ['Mississauga', 'L5B 3C2'],
  ['Burlington', 'L7R 1A9'],
  ['Milton', 'L9T 5H6'],
  ['Hamilton', 'L8P 1A1'],
  ['Toronto', 'M5V 2T6'],
  ['Brampton', 'L6Y 4M3'],
  ['Georgetown', 'L7G 3E8'],
  ['Guelph', 'N1H 2T5'],
  ['Vaughan', 'L4K 5R8'],
  ['St. Catharines', 'L2R 7L7'],
  ['Ottawa', 'K1P 5M7'],
]

export const streets = [
  'Lakeshore Road',
  'Trafalgar Road',
  'Kerr Street',
  'Rebecca Street',
  'Dundas Street West',
  'Queen Street',
  "St. Paul's Crescent",
  'Côte Road',
]
