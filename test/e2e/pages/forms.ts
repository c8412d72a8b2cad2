import { expect, type Page } from '@playwright/test'
import { definitionOf } from '../../chart/consent-forms.ts'
import type { FormDefinition } from '../../../src/chart/forms/definition-rules.ts'

/** Calls the API as a member of staff. */
export async function asStaff<Result>(page: Page, method: 'POST' | 'PUT' | 'PATCH', path: string, data: object): Promise<Result> {
  const response = await page.request.fetch(`/api${path}`, { method, data, headers: { origin: new URL(page.url()).origin } })
  expect(response.status(), await response.text()).toBe(200)
  return (await response.json()) as Result
}

interface Template {
  id: string
  draft: { revision: number } | null
}

/** Publishes a form with a title of its own. */
export async function publish(admin: Page, definition: FormDefinition, title: string): Promise<string> {
  const { id } = await asStaff<Template>(admin, 'POST', '/form-templates', {})
  const titled = { ...definition, title: { en: title, fr: `${title} (fr)` } }
  const { draft } = await asStaff<Template>(admin, 'PUT', `/form-templates/${id}/draft`, { revision: 1, definition: titled })
  await asStaff(admin, 'POST', `/form-templates/${id}/publish`, { revision: draft!.revision })
  return id
}

/** Publishes a consent form to photographs, with a title of its own and one clause to initial. */
export async function publishConsentForm(admin: Page, title: string): Promise<string> {
  const { id } = await asStaff<Template>(admin, 'POST', '/consent-templates', {})
  const definition = definitionOf({ title: { en: title, fr: `${title} (fr)` }, use: 'photos', scopes: ['chart'], intro: null })
  const { draft } = await asStaff<Template>(admin, 'PUT', `/consent-templates/${id}/draft`, { revision: 1, definition })
  await asStaff(admin, 'POST', `/consent-templates/${id}/publish`, { revision: draft!.revision })
  return id
}
