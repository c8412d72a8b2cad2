import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { photosContract } from './contract.ts'
import { adjustPhoto } from './adjust.ts'
import * as markup from './markup.ts'
import * as service from './service.ts'

const os = implement(photosContract).$context<Context>()

export const photosRouter = os.router({
  ofContact: os.ofContact.handler(async ({ input, context, errors }) => unwrap(await service.listPhotos(context, input.contactId), errors)),
  seriesOfContact: os.seriesOfContact.handler(async ({ input, context, errors }) =>
    unwrap(await service.listSeries(context, input.contactId), errors),
  ),
  addSeries: os.addSeries.handler(async ({ input, context, errors }) => unwrap(await service.addSeries(context, input), errors)),
  changeSeries: os.changeSeries.handler(async ({ input, context, errors }) => unwrap(await service.changeSeries(context, input), errors)),
  deleteSeries: os.deleteSeries.handler(async ({ input, context, errors }) =>
    unwrap(await service.deleteSeries(context, input.id), errors),
  ),
  change: os.change.handler(async ({ input, context, errors }) => unwrap(await service.changePhoto(context, input), errors)),
  delete: os.delete.handler(async ({ input, context, errors }) => unwrap(await service.deletePhoto(context, input.id), errors)),
  restore: os.restore.handler(async ({ input, context, errors }) => unwrap(await service.restorePhoto(context, input.id), errors)),
  adjust: os.adjust.handler(async ({ input, context, errors }) => unwrap(await adjustPhoto(context, input), errors)),
  layers: os.layers.handler(async ({ input, context, errors }) => unwrap(await markup.listLayers(context, input.photoId), errors)),
  addLayer: os.addLayer.handler(async ({ input, context, errors }) => unwrap(await markup.addLayer(context, input), errors)),
  changeLayer: os.changeLayer.handler(async ({ input, context, errors }) => unwrap(await markup.changeLayer(context, input), errors)),
  deleteLayer: os.deleteLayer.handler(async ({ input, context, errors }) => unwrap(await markup.deleteLayer(context, input.id), errors)),
})
