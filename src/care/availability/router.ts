import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { availabilityContract } from './contract.ts'
import { addEquipment, changeEquipment, listEquipment } from './equipment.ts'
import * as hours from './staff-hours.ts'
import * as visits from './visit-types.ts'

const os = implement(availabilityContract).$context<Context>()

export const availabilityRouter = os.router({
  visitTypes: os.visitTypes.handler(({ context }) => visits.listVisitTypes(context.db)),
  addVisitType: os.addVisitType.handler(async ({ input, context, errors }) => unwrap(await visits.addVisitType(context, input), errors)),
  changeVisitType: os.changeVisitType.handler(async ({ input, context, errors }) =>
    unwrap(await visits.changeVisitType(context, input), errors),
  ),
  orderVisitTypes: os.orderVisitTypes.handler(({ input, context }) => visits.orderVisitTypes(context, input.ids)),
  equipment: os.equipment.handler(({ context }) => listEquipment(context)),
  addEquipment: os.addEquipment.handler(async ({ input, context, errors }) => unwrap(await addEquipment(context, input), errors)),
  changeEquipment: os.changeEquipment.handler(async ({ input, context, errors }) => unwrap(await changeEquipment(context, input), errors)),
  staffHours: os.staffHours.handler(({ context }) => hours.listStaffHours(context)),
  setStaffHours: os.setStaffHours.handler(async ({ input, context, errors }) => unwrap(await hours.setStaffHours(context, input), errors)),
  addException: os.addException.handler(async ({ input, context, errors }) => unwrap(await hours.addException(context, input), errors)),
  removeException: os.removeException.handler(async ({ input, context, errors }) =>
    unwrap(await hours.removeException(context, input.id), errors),
  ),
})
