import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passesLuhn } from '../../../../../shared/detection/pii/credit-card.ts';
import {
  isAadhaar,
  isBsn,
  isCodiceFiscale,
  isCpf,
  isDni,
  isNhsNumber,
  isNir,
  isPersonnummer,
  isPesel,
  isResidentId,
  isSteuerId,
} from '../../../../../shared/detection/pii/opt-in/check-digits.ts';

/** Example numbers of the issuers' documents or the standards. */
const EXAMPLES = [
  [isSteuerId, '86095742719', '65929970489', '47036892816'],
  [isNir, '255081416802538', '185057800608491'],
  [isDni, '12345678Z', 'X1234567L', 'Y1234567X', 'Z1234567R'],
  [isCodiceFiscale, 'RSSMRA85T10A562S', 'MRTMTT91D08F205J'],
  [isBsn, '111222333', '123456782'],
  [isPesel, '44051401359', '02070803628'],
  [isCpf, '52998224725', '11144477735'],
  [isAadhaar, '234123412346'],
  [isResidentId, '11010519491231002X', '440524188001010014'],
  [isPersonnummer, '8112289874', '198112289874', '6709199530'],
  [isNhsNumber, '9434765919'],
  [(digits: string) => passesLuhn([...digits].map(Number), 0, digits.length), '4111111111111111'],
] as const;

test('published examples pass, and fail with one digit changed', () => {
  for (const [check, ...numbers] of EXAMPLES) {
    for (const number of numbers) {
      assert.ok(check(number), `${check.name} ${number}`);
      const at = number.search(/\d(?=\D*$)/);
      const other = number.slice(0, at) + ((Number(number[at]) + 1) % 10) + number.slice(at + 1);
      assert.ok(!check(other), `${check.name} ${other}`);
    }
  }
});

test('rejects rows of one digit as CPF, and zero as BSN', () => {
  assert.equal(isCpf('11111111111'), false);
  assert.equal(isBsn('000000000'), false);
});
