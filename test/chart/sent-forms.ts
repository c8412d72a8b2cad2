import type { FormDefinition } from '../../src/chart/forms/definition-rules.ts'
import { starters } from '../../src/chart/forms/starters.ts'
import type { Client } from '../server.ts'

/** Publishes a form of its own, and returns the template. */
export async function publishForm(admin: Client, definition: FormDefinition = starters.covid) {
  const { id } = await admin.forms.createTemplate({})
  const { draft } = await admin.forms.saveDraft({ id, revision: 1, definition })
  return admin.forms.publish({ id, revision: draft!.revision })
}

/** Answers that complete the COVID-19 form without a red flag. */
export const healthy = { symptoms: false, tested_positive: false, close_contact: false }
