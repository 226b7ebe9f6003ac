import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDateString,
  IsEmail,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumberString,
  IsOptional,
  IsPhoneNumber,
  IsString,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';

/** Combined decorators, which a team would write on each field. */
export const Required = (longest: number) => applyDecorators(IsString(), IsNotEmpty(), MaxLength(longest));
export const Text = (longest = 255) => applyDecorators(IsOptional(), IsString(), MaxLength(longest));
export const OneOf = (...values: string[]) => applyDecorators(IsOptional(), IsString(), IsIn(values));
export const Day = () => applyDecorators(IsOptional(), IsDateString({ strict: true }), MaxLength(10));
export const Moment = () => applyDecorators(IsOptional(), IsDateString({ strict: true }));
export const Money = () => applyDecorators(IsOptional(), IsString(), Matches(/^-?\d{1,10}(\.\d{1,2})?$/));
export const Decimal = () => applyDecorators(IsOptional(), IsNumberString(), MaxLength(32));
export const Whole = () => applyDecorators(IsOptional(), IsInt());
export const YesOrNo = () => applyDecorators(IsOptional(), IsBoolean());
export const Email = () => applyDecorators(IsOptional(), IsEmail());
export const Phone = () => applyDecorators(IsOptional(), IsPhoneNumber('GB'));
export const Texts = () =>
  applyDecorators(IsOptional(), IsArray(), ArrayMaxSize(10_000), IsString({ each: true }));
export const ListOf = (type: () => new () => object) =>
  applyDecorators(IsOptional(), IsArray(), ArrayMaxSize(10_000), ValidateNested({ each: true }), Type(type));
export const Part = (type: () => new () => object) =>
  applyDecorators(IsOptional(), ValidateNested(), Type(type));
