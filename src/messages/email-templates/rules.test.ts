import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeholdersIn } from '../../shared/placeholders.ts'
import { clinicalWordsIn } from './clinical-rules.ts'
import { starters } from './starters.ts'
import {
  copyName,
  htmlFromText,
  missingOf,
  render,
  renderSubject,
  sampleAppointment,
  sampleBalance,
  samplePatient,
  templateVariables,
  type TemplateValues,
  valuesFor,
  templateTitle,
} from './rules.ts'

const ana: TemplateValues = { first_name: 'Ana', last_name: 'Lee', patient_name: 'Ana Lee', email: 'ana@example.com' }

describe('double-brace variables are replaced globally (spec 5)', () => {
  it.each([
    ['each time', '{{first_name}}, dear {{first_name}}', 'Ana, dear Ana'],
    ['white space inside the braces', '{{ first_name }} {{\tlast_name\n}}', 'Ana Lee'],
    ['an empty one leaves nothing', 'Call {{phone}}.', 'Call .'],
    ['an unknown one stays as it was typed', 'Hi {{ nick name }} {{First_Name}}', 'Hi {{ nick name }} {{First_Name}}'],
    ['names of an object’s own are no variables', '{{constructor}}{{__proto__}}{{toString}}', '{{constructor}}{{__proto__}}{{toString}}'],
    ['of nested braces the innermost pair counts', '{{{{first_name}}}} {{{first_name}}}', '{{Ana}} {Ana}'],
    [
      'a pair that is never closed is text',
      '{{first_name {{last_name}} {first_name} {{}} {{ }}',
      '{{first_name Lee {first_name} {{}} {{ }}',
    ],
    ['nothing to replace', '', ''],
  ])('%s', (_, template, text) => {
    expect(render(template, ana, 'text')).toBe(text)
    expect(render(template, ana, 'html')).toBe(text)
  })

  it.each([
    ['a variable in a value is a value', '{{email}}', '{{email}}'],
    ['so are the replacement patterns of the language', "$& $1 $$ $` $'", '$&amp; $1 $$ $` $&#39;'],
    ['markup is text', '<script>alert("1")</script>', '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;'],
    ['an attribute cannot be left', `" onmouseover='x'`, '&quot; onmouseover=&#39;x&#39;'],
    ['an entity is what was typed', '&lt;b&gt;', '&amp;lt;b&amp;gt;'],
  ])('%s', (_, value, html) => {
    expect(render('{{first_name}}|{{email}}', { first_name: value, email: 'e' }, 'text')).toBe(`${value}|e`)
    expect(render('<b>{{first_name}}</b>', { first_name: value }, 'html')).toBe(`<b>${html}</b>`)
  })

  it('keeps a subject on one line, so no value can start a header', () => {
    expect(renderSubject('Hello {{first_name}}', { first_name: 'Ana\r\nBcc: all@example.com\u2028x' })).toBe(
      'Hello Ana Bcc: all@example.com x',
    )
  })

  it('inserts each value unchanged, once, whatever it contains', () => {
    const parts = fc.array(fc.oneof(fc.constantFrom(...templateVariables), fc.constant(null)), { maxLength: 30 })
    const values = fc.dictionary(
      fc.constantFrom(...templateVariables),
      fc.oneof(fc.string(), fc.constantFrom('{{email}}', '$&', '$1', '{{', '}}')),
    )
    fc.assert(
      fc.property(parts, values, (names, values) => {
        const template = names.map((name) => (name === null ? 'text' : `{{${name}}}`)).join('|')
        const expected = names.map((name) => (name === null ? 'text' : (values[name] ?? ''))).join('|')
        expect(render(template, values, 'text')).toBe(expected)
      }),
    )
  })

  it('adds no tag or quote to the HTML beyond the template’s own, whatever the values are', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '$', '{', '}', 'a') }), (value) => {
        const html = render('{{first_name}}', { first_name: value }, 'html')
        expect(html).not.toMatch(/[<>"']/)
        expect(
          html
            .replace(/&lt;/g, '<')
            .replace(/&gt;/g, '>')
            .replace(/&quot;/g, '"')
            .replace(/&#39;/g, "'")
            .replace(/&amp;/g, '&'),
        ).toBe(value)
      }),
    )
  })

  it('processes 100,000 characters of any text in linear time', () => {
    const size = 100_000
    let slowest = 0
    for (const piece of ['{{first_name}}', '{', '{{', '{{ ', '{{a', '}}', '{{first_name', '{{{{first_name}} ', ' ', '{{ {{ first_name']) {
      const template = piece.repeat(Math.ceil(size / piece.length))
      const start = performance.now()
      render(template, ana, 'html')
      missingOf(template, ana)
      slowest = Math.max(slowest, performance.now() - start)
    }
    // A search that looked at each character for each opening would take minutes.
    expect(slowest).toBeLessThan(1_000)
    expect(render(`{{${' '.repeat(size)}first_name${' '.repeat(size)}}}`, ana, 'text')).toBe('Ana')
  })
})

describe('unknown and empty variables before sending', () => {
  it('lists variables once each, in order of first use', () => {
    expect(placeholdersIn('{{last_name}} {{ first_name }} {{last_name}} {{nick}} {{}}')).toEqual(['last_name', 'first_name', 'nick'])
  })

  it('lists unknown variables and those without a value, for subject and body together', () => {
    expect(missingOf(['{{procedure}} for {{first_name}}', '{{nick}} {{phone}} {{procedure}}'], { ...ana, phone: '  ' })).toEqual({
      unknown: ['nick'],
      empty: ['procedure', 'phone'],
    })
    expect(missingOf('{{first_name}}', ana)).toEqual({ unknown: [], empty: [] })
  })

  it('leaves no braces when nothing is unknown or empty', () => {
    const names = fc.array(fc.constantFrom(...templateVariables, 'nick', 'constructor'))
    fc.assert(
      fc.property(names, fc.dictionary(fc.constantFrom(...templateVariables), fc.constantFrom('', 'x')), (names, values) => {
        const template = names.map((name) => `{{${name}}}`).join(' ')
        const { unknown } = missingOf(template, values)
        expect(render(template, values, 'text').includes('{{')).toBe(unknown.length > 0)
      }),
    )
  })
})

describe('the default variables (spec 9)', () => {
  const company = { name: 'Refyne', email: 'team@refyne.example', phone: '', portal: 'https://refyne.example/portal' }

  it('all have a value in the sample preview, even when the company has no number', () => {
    const values = { ...valuesFor(samplePatient, company), ...sampleAppointment, ...sampleBalance }
    expect(Object.keys(values)).toEqual([...templateVariables])
    expect(
      missingOf(
        templateVariables.map((name) => `{{${name}}}`),
        values,
      ),
    ).toEqual({ unknown: [], empty: ['company_phone'] })
    expect(values.patient_name).toBe('Olivia Tremblay')
  })

  it('the starter templates use only these variables, and none of them is missing', () => {
    expect(starters.map(({ name }) => name)).toEqual([
      'welcome_email',
      'consult_reminder',
      'follow_up',
      'post_op_check',
      'appointment_confirmation',
      'appointment_booked',
      'appointment_changed',
      'appointment_updated',
      'appointment_cancelled',
      'appointment_reminder',
      'appointment_offer',
      'payment_reminder',
      'welcome_email_fr',
      'consult_reminder_fr',
      'follow_up_fr',
      'post_op_check_fr',
      'appointment_confirmation_fr',
      'appointment_booked_fr',
      'appointment_changed_fr',
      'appointment_updated_fr',
      'appointment_cancelled_fr',
      'appointment_reminder_fr',
      'appointment_offer_fr',
      'payment_reminder_fr',
      'appointment_confirmation_text',
      'appointment_booked_text',
      'appointment_updated_text',
      'appointment_changed_text',
      'appointment_cancelled_text',
      'appointment_reminder_text',
      'appointment_offer_text',
      'appointment_confirmation_text_fr',
      'appointment_booked_text_fr',
      'appointment_updated_text_fr',
      'appointment_changed_text_fr',
      'appointment_cancelled_text_fr',
      'appointment_reminder_text_fr',
      'appointment_offer_text_fr',
    ])
    const values = { ...valuesFor(samplePatient, { ...company, phone: '416-555-0100' }), ...sampleAppointment, ...sampleBalance }
    for (const { channel, subject, body, html } of starters) {
      expect(missingOf([subject, body, html], values)).toEqual({
        unknown: [],
        empty: [],
      })
      // Both versions say the same.
      if (channel === 'email') expect(placeholdersIn(html)).toEqual(placeholdersIn(body))
      else expect([subject, html, clinicalWordsIn(body, [])]).toEqual(['', '', []])
    }
  })

  it('the French starter templates use the same variables as the English ones', () => {
    const variablesOf = (name: string) => {
      const { subject, body } = starters.find((one) => one.name === name)!
      return placeholdersIn(`${subject}\n${body}`).toSorted()
    }
    const french = starters.filter(({ name }) => name.endsWith('_fr'))
    for (const { name } of french) expect(variablesOf(name)).toEqual(variablesOf(name.slice(0, -3)))
  })
})

describe('text converted to HTML', () => {
  it('turns blocks into paragraphs, keeps lines, and escapes markup', () => {
    expect(htmlFromText('Hello {{first_name}},\r\n\r\nfirst <line>\nsecond\n \n\n  \nBye')).toBe(
      '<p>Hello {{first_name}},</p>\n<p>first &lt;line&gt;<br>second</p>\n<p>Bye</p>',
    )
  })
})

describe('the name of a copy', () => {
  it.each([
    ['Welcome', [], 'Welcome (copy)'],
    ['Welcome', ['welcome (COPY)', 'Welcome (copy 2)'], 'Welcome (copy 3)'],
    ['x'.repeat(100), [], `${'x'.repeat(93)} (copy)`],
  ])('the copy of %s with %j taken is %s', (name, taken, copy) => expect(copyName(name, taken)).toBe(copy))
})

it.each([
  ['welcome_email', 'Welcome email'],
  ['consult_reminder', 'Consult reminder'],
  ['follow_up_fr', 'Follow-up (French)'],
  ['post_op_check', 'Post-op check'],
  ['Follow up after Botox', 'Follow up after Botox'],
  ['newsletter', 'newsletter'],
  ['appointment_reminder_fr', 'Appointment reminder (French)'],
])('shows the template name %s as %s', (name, title) => expect(templateTitle(name)).toBe(title))
