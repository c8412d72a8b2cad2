import { implement } from '@orpc/server'
import { unwrap } from '../../kernel/refusal.ts'
import type { Context } from '../context.ts'
import { signingKeysContract } from './contract.ts'
import { exportSigningKey, listKeys, rotateKey } from './keys.ts'

const os = implement(signingKeysContract).$context<Context>()

export const signingKeysRouter = os.router({
  list: os.list.handler(({ context }) => listKeys(context)),
  rotate: os.rotate.handler(({ context }) => rotateKey(context)),
  export: os.export.handler(async ({ context, input, errors }) => unwrap(await exportSigningKey(context, input), errors)),
})
