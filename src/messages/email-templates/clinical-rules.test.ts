import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clinicalProblem, clinicalWordsIn } from './clinical-rules.ts'

const procedures = ['Rhinoplasty', 'Breast augmentation', 'Implant de menton', 'Lip flip', 'Mommy makeover']

describe('clinical words in a text message', () => {
  it.each([
    ['Your LIP FLIP is on Friday.', ['Lip flip']],
    ['Mommy-makeover news', ['Mommy makeover']],
    ['Votre implant de menton est prêt', ['Implant de menton']],
    ['Breast augmentation on Friday', ['Breast augmentation']],
    ['Two lip flips', ['Lip flip']],
    ['After your surgery, rest.', ['surgery']],
    ['Après votre chirurgie, reposez-vous.', ['chirurgie']],
    ['Votre rendez-vous POSTOPERATOIRE', ['postopératoire']],
    ['Your post-op visit', ['post-op']],
    ['Botox™, and a rhino\u00adplasty', ['Rhinoplasty', 'botox']],
    ['Your implants and scars', ['implant', 'scar']],
  ])('of “%s” are %j (issue 28)', (text, found) => expect(clinicalWordsIn(text, procedures)).toEqual(found))

  it.each([
    'Friday at 2:30 p.m. is yours. Your forms are waiting here: https://clinic.example/f/7KQ2',
    'Votre rendez-vous avec notre équipe, au sein de la clinique, est confirmé.',
    'Scarlett, a filling meal is near the breasted shop. Flip a lip? Laserlike.',
    '',
  ])('are none in “%s” (issue 28)', (text) => expect(clinicalWordsIn(text, procedures)).toEqual([]))

  it('are none in the practice’s own name, however often it occurs, and are found beside it (issue 28)', () => {
    const name = 'Harbourview Plastic Surgery'
    expect(clinicalWordsIn(`${name}: see you soon. ${name}`, [], [name])).toEqual([])
    expect(clinicalWordsIn(`${name}: your surgery`, [], [name])).toEqual(['surgery'])
    expect(clinicalWordsIn('Anything', [], ['', ' '])).toEqual([])
  })

  it('are found wherever a procedure is named between other words, in any case and with or without accents (issue 28)', () => {
    const word = fc.stringMatching(/^[bcdfghjkqxz]{1,6}$/)
    const writing = fc.constantFrom(
      (name: string) => name.toUpperCase(),
      (name: string) => name.normalize('NFD').replace(/\p{M}/gu, ''),
      (name: string) => name.replaceAll(' ', '  '),
      (name: string) => `(${name}).`,
    )
    fc.assert(
      fc.property(fc.array(word), fc.constantFrom(...procedures), writing, fc.array(word), (before, name, write, after) => {
        expect(clinicalWordsIn([...before, write(name), ...after].join(' '), procedures)).toEqual([name])
        expect(clinicalWordsIn([...before, ...after].join(' '), procedures)).toEqual([])
      }),
    )
  })

  it('are named in what to do about them (issue 28)', () =>
    expect(clinicalProblem(['Rhinoplasty', 'scar'])).toBe(
      'Leave out “Rhinoplasty” and “scar”: others may see the phone. Send a link to the portal instead.',
    ))
})
