export { DaysFields } from '../deeds/DaysFields.tsx'
export { type DaysDraft, daysProblems, noDays, planned } from '../deeds/days.ts'
