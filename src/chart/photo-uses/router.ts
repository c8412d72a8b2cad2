import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../../platform/context.ts'
import { consultGalleryContract, galleryContract, photoUsesContract, sharedPhotosContract } from './contract.ts'
import * as service from './service.ts'

const uses = implement(photoUsesContract).$context<Context>()
const consult = implement(consultGalleryContract).$context<Context>()
const gallery = implement(galleryContract).$context<Context>()
const shared = implement(sharedPhotosContract).$context<Context>()

export const photoUsesRouter = uses.router({
  ofContact: uses.ofContact.handler(async ({ input, context, errors }) => unwrap(await service.listUses(context, input.contactId), errors)),
  recordConsent: uses.recordConsent.handler(async ({ input, context, errors }) =>
    unwrap(await service.recordConsent(context, input), errors),
  ),
  withdrawConsent: uses.withdrawConsent.handler(async ({ input, context, errors }) =>
    unwrap(await service.withdrawConsent(context, input), errors),
  ),
  begin: uses.begin.handler(async ({ input, context, errors }) => unwrap(await service.beginUse(context, input), errors)),
  end: uses.end.handler(async ({ input, context, errors }) => unwrap(await service.endUse(context, input), errors)),
  share: uses.share.handler(async ({ input, context, errors }) => unwrap(await service.sharePhotos(context, input), errors)),
  endLink: uses.endLink.handler(async ({ input, context, errors }) => unwrap(await service.endLink(context, input.id), errors)),
  release: uses.release.handler(async ({ input, context, errors }) => unwrap(await service.releasePhotos(context, input), errors)),
  takeBack: uses.takeBack.handler(async ({ input, context, errors }) => unwrap(await service.takeBackPhotos(context, input), errors)),
})

export const consultGalleryRouter = consult.router({
  list: consult.list.handler(({ input, context }) => service.listConsultPairs(context, input)),
})

export const galleryRouter = gallery.router({
  feed: gallery.feed.handler(({ input, context }) => service.listWebsitePairs(context, input)),
})

export const sharedPhotosRouter = shared.router({
  open: shared.open.handler(async ({ input, context, errors }) => unwrap(await service.openShared(context, input.token), errors)),
})
