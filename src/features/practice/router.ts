import { implement } from '@orpc/server'
import type { Context } from '../../server/context.ts'
import { practiceContract } from './contract.ts'
import * as service from './service.ts'
import { changeSettings, getSettings, setLogo } from './settings.ts'

const os = implement(practiceContract).$context<Context>()

export const practiceRouter = os.router({
  rooms: os.rooms.handler(({ context }) => service.listRooms(context.db)),
  addRoom: os.addRoom.handler(async ({ input, context, errors }) => {
    const room = await service.addRoom(context, input)
    if (room === 'taken') throw errors.NAME_TAKEN()
    return room
  }),
  changeRoom: os.changeRoom.handler(async ({ input, context, errors }) => {
    const room = await service.changeRoom(context, input)
    if (room === 'taken') throw errors.NAME_TAKEN()
    if (!room) throw errors.NOT_FOUND()
    return room
  }),
  settings: os.settings.handler(({ context }) => getSettings(context)),
  changeSettings: os.changeSettings.handler(({ input, context }) => changeSettings(context, input)),
  removeLogo: os.removeLogo.handler(({ context }) => setLogo(context, null)),
  hours: os.hours.handler(({ context }) => service.listHours(context.db)),
  setHours: os.setHours.handler(({ input, context }) => service.setHours(context, input.days)),
})
