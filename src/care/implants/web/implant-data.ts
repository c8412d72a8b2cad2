import type { Client } from '../../../ui/client/api.ts'

export type SurgeryDevicesData = Awaited<ReturnType<Client['implants']['ofSurgery']>>
export type SurgeryDeviceData = SurgeryDevicesData['devices'][number]
export type ImplantData = Awaited<ReturnType<Client['implants']['ofContact']>>[number]
