/** The correspondents of a clinic in Ontario. All addresses use the reserved domains .example and .test. */
import { pick } from '../random.ts'
import type { Address } from './message.ts'

const givenNames =
  `Olivia Liam Emma Noah Amélie Léo Chloé Félix Zoé Étienne Maëlle Priya Arjun Harpreet Simran Mei Wei 美玲 Haruto Soo-jin Fatima Omar Layla
Yusuf Sofía Mateo José João Gonçalo Giulia Zofia Łukasz Małgorzata Oksana Андрій Siobhán Niamh Søren Åsa Björn Jürgen Chidi Ngozi Thuy Anh
Marie-Ève Jean-Luc Grace Daniel Hannah`.split(/\s+/)

const familyNames =
  `Smith|Tremblay|Martin|Wilson|Gagnon|Campbell|Côté|Wong|Chen|Nguyễn|Patel|Singh|Kaur|Khan|Hassan|O'Neill|O'Brien|D'Angelo|L'Heureux|MacLeod|Bélanger
Lévesque|St-Pierre|Rossi|De Luca|Ferreira|García|Muñoz|Wiśniewski|Шевченко|Novák|Szabó|Müller|Weiß|van der Berg|Sørensen|Åkesson|Cohen|Haddad|Yılmaz|Çelik
Okafor|Kim|田中|Reyes|Dela Cruz|Murphy|Stewart`.split(/[|\n]/)

const mailHosts = ['mail.example', 'post.example', 'courriel.example', 'inbox.example']

export function patient(random: () => number): Address {
  const name = `${pick(givenNames, random)} ${pick(familyNames, random)}`
  const local = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replace(/[^a-z ]/g, '')
    .trim()
    .replace(/ +/g, '.')
  return { name, email: `${local || 'patient'}${Math.floor(random() * 900) + 100}@${pick(mailHosts, random)}` }
}

export const suppliers: readonly Address[] = [
  { name: 'DermaSource Orders', email: 'orders@dermasource.example' },
  { name: 'Lakeshore Medical Supply', email: 'accounts@lakeshoremedical.example' },
  { name: 'Lumenis Service Desk', email: 'service@laser-service.example' },
  { name: 'Atelier Beauté Ltée', email: 'commandes@atelierbeaute.example' },
]

export const doctors: readonly Address[] = [
  { name: 'Dr. Helen Marlowe', email: 'h.marlowe@oakvillefamily.example' },
  { name: 'Dr. Søren Ødegård', email: 'odegard@halton-dermatology.example' },
  { name: 'Dr. Noémie Bélanger-Roy', email: 'nbelanger@clinique-roy.example' },
  { name: 'Trafalgar Walk-in Clinic', email: 'referrals@trafalgarwalkin.example' },
]

export const insurers: readonly Address[] = [
  { name: 'Trillium Extended Health', email: 'claims@trilliumhealth.example' },
  { name: 'Maple Benefits', email: 'providers@maplebenefits.example' },
  { name: 'Great Lakes Assurance', email: 'noreply@greatlakesassurance.example' },
]

export const newsletters: readonly Address[] = [
  { name: 'Aesthetic Medicine Weekly', email: 'news@amweekly.example' },
  { name: 'Ontario College of Clinics', email: 'bulletin@occ.example' },
  { name: 'Canadian Laser Society', email: 'info@laser-society.example' },
]

export const spammers: readonly Address[] = [
  { name: 'SEO Rank Booster', email: 'hello@rank-booster.test' },
  { name: 'Your parcel', email: 'delivery@parcel-notice.test' },
  { name: 'Prize Department', email: 'winner@prize.test' },
]

export const colleagues: readonly Address[] = [
  { name: 'Nurse Ayesha Rahman', email: 'ayesha@refyneclinic.example' },
  { name: 'Dr. Claire Fontaine', email: 'claire@refyneclinic.example' },
  { name: 'Marc-André (billing)', email: 'billing@refyneclinic.example' },
]
