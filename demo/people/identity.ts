import type { Origin } from './names.ts'
import type { Random } from '../random.ts'

/** What a practice asks at the first visit. */
export interface Identity {
  preferredName: string | null
  sexAtBirth: 'female' | 'male' | 'not_stated' | null
  gender: string | null
  emergencyContactName: string | null
  emergencyContactPhone: string | null
  emergencyContactRelationship: string | null
  familyPhysician: string | null
  pharmacy: string | null
}

const nothing: Identity = {
  preferredName: null,
  sexAtBirth: null,
  gender: null,
  emergencyContactName: null,
  emergencyContactPhone: null,
  emergencyContactRelationship: null,
  familyPhysician: null,
  pharmacy: null,
}

const shortNames: Record<string, string> = {
  Abigail: 'Abby',
  Agnieszka: 'Aga',
  Aleksandra: 'Ola',
  Andrew: 'Drew',
  Benjamin: 'Ben',
  Catherine: 'Cathy',
  Charlotte: 'Charlie',
  Christine: 'Chris',
  Daniel: 'Dan',
  Geneviève: 'Gen',
  Jennifer: 'Jen',
  Jessica: 'Jess',
  Katarzyna: 'Kasia',
  Kateryna: 'Katya',
  Kathleen: 'Kat',
  Kathryn: 'Kate',
  Kimberly: 'Kim',
  Mackenzie: 'Mac',
  Magdalena: 'Magda',
  Małgorzata: 'Gosia',
  Matthew: 'Matt',
  Melissa: 'Mel',
  Michael: 'Mike',
  Nathan: 'Nate',
  Rebecca: 'Becca',
  Robert: 'Rob',
  Samantha: 'Sam',
  Stephanie: 'Steph',
  Susan: 'Sue',
  Victoria: 'Vicky',
  William: 'Will',
}
const physicians = [
  'Dr. Anita Rao, Bronte Family Health Team',
  'Dr. Marc Beaudoin, Glen Abbey Medical',
  'Dr. Hui Zhang, Kerr Street Family Practice',
  'Dr. Sarah Whitcombe, Burlington Lakeside Clinic',
  'Dr. Tomasz Wilk, Milton Main Street Medical',
  'Dr. Folake Adeyemi, Port Credit Family Doctors',
]
const pharmacies = [
  'Lakeshore Pharmacy, 212 Lakeshore Rd E',
  'Kerr Village Drugs, 105 Kerr St',
  'Upper Middle Pharmacy, 1500 Upper Middle Rd W',
  'Brant Street Dispensary, 480 Brant St',
  'Main Street Pharmacy, 88 Main St E, Milton',
]
const relationships = ['Spouse', 'Spouse', 'Partner', 'Mother', 'Father', 'Sister', 'Brother', 'Daughter', 'Friend']
const menOf = ['Father', 'Brother']
const womenOf = ['Mother', 'Sister', 'Daughter']

interface Given {
  firstName: string
  lastName: string
  isWoman: boolean
  origin: Origin
  hasChart: boolean
}

/** The identity of a patient who has been to the clinic and was asked; of others, nothing. */
export function identityOf({ firstName, lastName, isWoman, origin, hasChart }: Given, random: Random): Identity {
  if (!hasChart || !random.chance(0.56)) return nothing
  const shortName = shortNames[firstName] ?? null
  const relationship = random.pick(relationships)
  const isRelativeWoman = womenOf.includes(relationship) || (!menOf.includes(relationship) && random.chance(isWoman ? 0.15 : 0.85))
  const sharesName = relationship !== 'Friend' && random.chance(0.7)
  const relative = `${random.pick(isRelativeWoman ? origin.women : origin.men)} ${sharesName ? lastName : random.pick(origin.surnames)}`
  // The exchange 555 is not assigned: no one is called by mistake.
  const phone = `(905) 555-${String(random.int(0, 9999)).padStart(4, '0')}`
  return {
    preferredName: random.chance(0.6) ? shortName : null,
    sexAtBirth: random.chance(0.03) ? 'not_stated' : isWoman ? 'female' : 'male',
    gender: random.chance(0.25) ? (random.chance(0.04) ? 'Non-binary' : isWoman ? 'Woman' : 'Man') : null,
    emergencyContactName: relative,
    emergencyContactPhone: phone,
    emergencyContactRelationship: relationship,
    familyPhysician: random.chance(0.75) ? random.pick(physicians) : null,
    pharmacy: random.chance(0.6) ? random.pick(pharmacies) : null,
  }
}
