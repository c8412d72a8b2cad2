import { type Problems, problemsIn } from '../../../ui/forms/useActionForm.ts'
import { newMeasurement } from '../contract.ts'
import type { asaClasses, BloodType } from '../rules.ts'

/** Measurements as typed. */
export interface MeasurementValues {
  heightCm: string
  weightKg: string
  systolic: string
  diastolic: string
  bloodType: BloodType | null
  asaClass: string | null
  measuredOn: string
}

export const blankMeasurement = (today: string): MeasurementValues => ({
  heightCm: '',
  weightKg: '',
  systolic: '',
  diastolic: '',
  bloodType: null,
  asaClass: null,
  measuredOn: today,
})

/** A typed number, with a point or a comma; NaN, which no contract takes, for anything else. */
const numberIn = (typed: string): number | null => {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

export const toMeasurement = ({ heightCm, weightKg, systolic, diastolic, bloodType, asaClass, measuredOn }: MeasurementValues) => ({
  heightCm: numberIn(heightCm),
  weightKg: numberIn(weightKg),
  systolic: numberIn(systolic),
  diastolic: numberIn(diastolic),
  bloodType,
  asaClass: asaClass === null ? null : (Number(asaClass) as (typeof asaClasses)[number]),
  measuredOn,
})

export const measurementProblems = (values: MeasurementValues): Problems => problemsIn(newMeasurement, toMeasurement(values))
