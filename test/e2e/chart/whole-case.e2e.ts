import type { Page } from '@playwright/test'
import { starters } from '../../../src/chart/forms/starters.ts'
import { definitionOf } from '../../chart/consent-forms.ts'
import { fetchJson, unusedMonday } from '../pages/appointments.ts'
import { asStaff, publish } from '../pages/forms.ts'
import { bookSurgery, getSurgery } from '../pages/surgeries.ts'
import { expect, test } from '../support/clinic.ts'

const main = (page: Page) => page.getByRole('main')
const email = 'chloe.whole-case@fastmail.example'

test.describe('from a lead to a surgery', () => {
  test.setTimeout(180_000)

  test(
    'a lead answers a form in French, staff accept the answers, and a consent signed on the tablet makes the case ready until it is withdrawn (issue 26)',
    { tag: '@journey' },
    async ({ browser, open, clinic }) => {
      // What the practice has prepared.
      const admin = await open('admin', '/settings/forms')
      const [you, allergies] = starters.medical_history.sections
      await publish(admin, { ...starters.medical_history, sections: [you!, allergies!] }, 'Health questions')
      const procedure = await asStaff<{ id: string }>(admin, 'POST', '/procedures', { name: 'Whole septorhinoplasty' })
      const template = await asStaff<{ id: string }>(admin, 'POST', '/consent-templates', {})
      const definition = {
        ...definitionOf({ procedureIds: [procedure.id], needsCountersignature: true }),
        title: { en: 'Consent to septorhinoplasty', fr: 'Consentement à la septorhinoplastie' },
      }
      const { draft } = await asStaff<{ draft: { revision: number } }>(admin, 'PUT', `/consent-templates/${template.id}/draft`, {
        revision: 1,
        definition,
      })
      await asStaff(admin, 'POST', `/consent-templates/${template.id}/publish`, { revision: draft.revision })

      // A lead arrives from the website and becomes a patient.
      const { webhookKey } = await asStaff<{ webhookKey: string }>(admin, 'POST', '/lead-sources', { name: 'Whole-case landing' })
      const lead = { first_name: 'Chloé', last_name: 'Whole-Case', email, phone: '905 555 0199' }
      expect((await admin.request.post(`/api/leads/${webhookKey}`, { data: lead })).status()).toBe(202)
      const desk = await open('frontdesk', '/contacts')
      const found = async () =>
        (await fetchJson<{ data: { id: string; email: string }[] }>(desk, `/contacts?search=${email}`)).data[0]?.id ?? null
      await expect.poll(found).not.toBeNull()
      const id = (await found())!
      const { version } = await fetchJson<{ version: number }>(desk, `/contacts/${id}`)
      await asStaff(desk, 'PATCH', `/contacts/${id}`, { version, preferredLanguage: 'fr', dateOfBirth: '1990-05-02' })

      // The front desk sends the form.
      await desk.goto(`/contacts/${id}?tab=forms`)
      await main(desk).getByRole('button', { name: 'Send form' }).click()
      const sending = desk.getByRole('dialog', { name: 'Send form' })
      await sending.getByRole('combobox', { name: 'Form' }).click()
      await desk.getByRole('option', { name: 'Health questions' }).click()
      await sending.getByRole('button', { name: 'Send form' }).click()
      await expect(main(desk).getByText(`Emailed to ${email}`)).toBeVisible()

      // The patient fills it in on a phone, in French.
      const phone = await (
        await browser.newContext({ baseURL: clinic.url, viewport: { width: 375, height: 812 }, locale: 'fr-CA' })
      ).newPage()
      const mails = () => clinic.outbox.messages.filter(({ To, TextBody }) => To === email && TextBody?.includes('/forms/'))
      await expect.poll(() => mails().length).toBe(1)
      await phone.goto(/https?:\S+\/forms\/\S+/.exec(mails()[0]!.TextBody ?? '')![0].replace(/^https?:\/\/[^/]+/, ''))
      const codes = () =>
        clinic.outbox.messages.filter(({ To }) => To === email).flatMap((mail) => /^\d{6}$/m.exec(mail.TextBody ?? '')?.[0] ?? [])
      await phone.getByRole('button', { name: 'Envoyer le code' }).click()
      await expect.poll(() => codes().length).toBe(1)
      await phone.getByLabel('Code de vérification').fill(codes()[0]!)
      await phone.keyboard.press('Enter')
      await phone.getByLabel('Date de naissance').fill('1990-05-02')
      await phone.getByLabel('Taille').fill('168')
      await phone.getByLabel('Poids').fill('71,5')
      await phone.getByLabel(/Personne à joindre en cas d’urgence/).fill('Luc, 905 555 0142')
      await phone.getByRole('button', { name: 'Suivant' }).click()
      await phone
        .getByRole('group', { name: /Avez-vous des allergies/ })
        .getByRole('radio', { name: 'Oui' })
        .check()
      await phone.getByLabel(/À quoi êtes-vous allergique/).fill('Pénicilline')
      await phone
        .getByRole('group', { name: /réaction grave/ })
        .getByRole('radio', { name: 'Oui' })
        .check()
      await phone.getByRole('button', { name: 'Envoyer le formulaire' }).click()
      await expect(phone.getByRole('heading', { level: 1, name: 'Merci' })).toBeFocused()
      await phone.context().close()

      // A provider sees the red flag and accepts the answers.
      const provider = await open('provider', `/contacts/${id}?tab=forms`)
      await main(provider).getByRole('button', { name: 'Review Health questions' }).click()
      const review = provider.getByRole('dialog', { name: 'Review Health questions' })
      await expect(review.getByRole('list', { name: 'Red flags' })).toContainText('Reports a previous anaphylaxis')
      await review.getByRole('button', { name: /^Accept all \d answers/ }).click()
      await expect(review.getByText(/^Accepted .* by/)).toHaveCount(4)
      await review.getByRole('button', { name: 'Close' }).last().click()

      // The allergy shows on the case, which needs a consent.
      const surgery = await bookSurgery(desk, unusedMonday(), '09:00', { contactId: id, procedureIds: [procedure.id] })
      await provider.goto(`/surgeries?surgery=${surgery.id}`)
      const drawer = provider.getByRole('dialog', { name: 'Chloé Whole-Case' })
      await expect(drawer.getByRole('region', { name: 'Allergies and alerts' })).toContainText('Pénicilline')
      const consents = async () => {
        const { items } = await getSurgery(desk, surgery.id)
        return items.find(({ kind }) => kind === 'consents')!
      }
      expect(await consents()).toMatchObject({ isDone: false, isMissing: true })

      // It is signed on the practice's tablet, with initials.
      await desk.goto(`/contacts/${id}?tab=surgery`)
      const required = main(desk).getByRole('group', { name: 'Consents' })
      await required.getByRole('button', { name: 'Send all required' }).click()
      await desk
        .getByRole('dialog')
        .getByRole('button', { name: /^Send consent form/ })
        .click()
      await expect(required.getByText('Sent, not signed')).toBeVisible()
      await desk.goto(`/contacts/${id}?tab=forms`)
      await main(desk).getByRole('button', { name: 'Use tablet' }).click()
      const handing = desk.getByRole('dialog', { name: 'Use tablet' })
      await expect(handing.getByRole('checkbox', { name: 'Consent to septorhinoplasty' })).toBeChecked()
      await handing.getByRole('button', { name: 'Show code' }).click()
      const code = (await handing.getByLabel('Code').textContent())!.replace(' ', '')
      const tablet = await (await browser.newContext({ baseURL: clinic.url, viewport: { width: 1024, height: 768 } })).newPage()
      await tablet.goto('/tablet')
      await tablet.getByLabel('Code', { exact: true }).fill(code)
      await tablet.keyboard.press('Enter')
      await tablet.getByRole('button', { name: 'English' }).click()
      await expect(tablet.getByRole('heading', { level: 1, name: 'Consent to septorhinoplasty' })).toBeVisible()
      await tablet.getByRole('button', { name: 'Initial “Risks”' }).click()
      await tablet.getByRole('checkbox', { name: /I have read this consent/ }).check()
      await tablet.getByRole('button', { name: 'Type my name instead' }).click()
      await tablet.getByLabel('Your full name').fill('Chloé Whole-Case')
      await tablet.getByRole('button', { name: 'Sign consent' }).click()
      await tablet.getByRole('button', { name: 'Done, hand the tablet back' }).click()
      await expect(tablet.getByLabel('Code', { exact: true })).toBeFocused()
      await tablet.context().close()
      expect((await consents()).isDone).toBe(false)

      // The provider countersigns, and the item closes.
      await provider.goto(`/contacts/${id}?tab=chart`)
      await main(provider)
        .getByRole('list', { name: 'Consents' })
        .getByRole('button', { name: /^Consent to septorhinoplasty/ })
        .click()
      const signed = provider.getByRole('dialog', { name: 'Consent to septorhinoplasty' })
      await signed.getByRole('button', { name: 'Countersign' }).click()
      await provider.getByRole('dialog', { name: 'Countersign this consent form?' }).getByRole('button', { name: 'Countersign' }).click()
      await expect(signed.getByRole('link', { name: /^Sealed PDF: countersigned/ })).toBeVisible({ timeout: 30_000 })
      expect(await consents()).toMatchObject({ isDone: true, isMissing: false })

      // Withdrawn: the case is not ready.
      await desk.goto(`/contacts/${id}?tab=surgery`)
      await required.getByRole('button', { name: 'Actions for Consent to septorhinoplasty' }).click()
      await desk.getByRole('menuitem', { name: 'Record withdrawal' }).click()
      const withdrawal = desk.getByRole('dialog', { name: 'Record withdrawal of “Consent to septorhinoplasty”?' })
      await withdrawal.getByLabel('By whom').fill('The patient, by phone')
      await withdrawal.getByRole('button', { name: 'Record withdrawal' }).click()
      await expect(required.getByText('0 of 1 in force')).toBeVisible()
      expect(await consents()).toMatchObject({ isDone: false, isMissing: true })
    },
  )
})
