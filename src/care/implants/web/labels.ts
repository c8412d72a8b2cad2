import { sideLabels } from '../../devices/web/embed/labels.ts'
import type { SurgeryDeviceData } from './implant-data.ts'
import type { ExplantFate } from '../rules.ts'

export const fateLabels: Record<ExplantFate, string> = {
  destroyed: 'Destroyed',
  kept: 'Kept by the practice',
  sent_to_maker: 'Sent to the maker',
  sent_to_pathology: 'Sent to pathology',
  given_to_patient: 'Given to the patient',
}

/** 'Lot 778, serial S-1, left' */
export const formatPiece = ({ lot, serial, side, position }: SurgeryDeviceData): string =>
  [`Lot ${lot}`, serial && `serial ${serial}`, side && sideLabels[side].toLowerCase(), position].filter(Boolean).join(', ')
