import { lt } from 'drizzle-orm'
import { z } from 'zod'
import { defineJob, enqueue, type Job } from '../../kernel/jobs.ts'
import { deliverDue } from './deliver.ts'
import { deliveryRetention } from './rules.ts'
import { webhookDeliveries } from './table.ts'

const payload = z.object({})

/** Sends queued deliveries: at once when a change queues one, and each minute for retries. */
export const deliverWebhooks: Job<typeof payload> = defineJob({
  name: 'webhooks.deliver',
  payload,
  cron: '* * * * *',
  async run(scope) {
    if (await deliverDue(scope)) await enqueue(scope.db, deliverWebhooks, {})
  },
})

export const purgeDeliveries = defineJob({
  name: 'webhooks.purge',
  payload,
  cron: '17 4 * * *',
  async run({ db, now }) {
    await db.delete(webhookDeliveries).where(lt(webhookDeliveries.createdAt, new Date(now().getTime() - deliveryRetention)))
  },
})
